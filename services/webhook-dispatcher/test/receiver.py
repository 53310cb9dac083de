"""A webhook receiver of the standard library alone, written from the interface's section 6.

Prints its port, then one line of JSON per request. Answers 204 when headers, timestamp and signature hold, else 400.
"""
import hashlib
import hmac
import http.server
import json
import sys
import time

SECRET = sys.argv[1].encode("utf-8")
CLOCK_IS_FROZEN = len(sys.argv) > 2
TOLERANCE_SECONDS = 300


class Receiver(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        raw = self.rfile.read(int(self.headers["content-length"]))
        problems = list(self.problems(raw))
        self.send_response(400 if problems else 204)
        self.end_headers()
        body = json.loads(raw.decode("utf-8"))
        print(json.dumps({"problems": problems, "bytes": raw.hex(), "body": body}), flush=True)

    def problems(self, raw):
        stamp = self.headers.get("x-kyc-timestamp", "")
        if not stamp.isdigit():
            yield "timestamp"
            return
        now = int(sys.argv[2]) if CLOCK_IS_FROZEN else time.time()
        if abs(now - int(stamp)) > TOLERANCE_SECONDS:
            yield "stale"
        digest = hmac.new(SECRET, stamp.encode("ascii") + b"." + raw, hashlib.sha256).hexdigest()
        if not hmac.compare_digest("v1=" + digest, self.headers.get("x-kyc-signature", "")):
            yield "signature"
        if self.headers.get("content-type") != "application/json":
            yield "content-type"
        if "/" not in self.headers.get("user-agent", ""):
            yield "user-agent"
        body = json.loads(raw.decode("utf-8"))
        if body["event"] != self.headers.get("x-kyc-event"):
            yield "event"
        if body["delivery_id"] != self.headers.get("x-kyc-delivery"):
            yield "delivery"

    def log_message(self, *_):
        pass


server = http.server.HTTPServer(("127.0.0.1", 0), Receiver)
print(server.server_address[1], flush=True)
server.serve_forever()
