"""Creates a session and receives its webhooks, with nothing but Python's standard library.

    KYC_API_KEY=kyc_test_... KYC_WEBHOOK_SECRET=whsec_... python3 kyc_example.py create customer-17
    KYC_WEBHOOK_SECRET=whsec_... PORT=3000 python3 kyc_example.py receive
"""
import hashlib
import hmac
import json
import os
import sys
import time
import urllib.error
import urllib.request
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

BASE_URL = os.environ.get("KYC_BASE_URL", "http://localhost:8080")
TOLERANCE_SECONDS = 300
MAX_BODY_BYTES = 1024 * 1024


def create_session(vendor_data: str, metadata: dict, attempts: int = 3) -> dict:
    """A retry carries the same Idempotency-Key, so a lost answer never makes a second session."""
    headers = {
        "x-api-key": os.environ["KYC_API_KEY"],
        "content-type": "application/json",
        "idempotency-key": str(uuid.uuid4()),
    }
    body = json.dumps({"vendor_data": vendor_data, "metadata": metadata}).encode()
    for attempt in range(attempts):
        request = urllib.request.Request(f"{BASE_URL}/v1/sessions", body, headers, method="POST")
        try:
            with urllib.request.urlopen(request, timeout=30) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            if error.code < 500 and error.code != 429:
                raise SystemExit(f"refused: {json.load(error)['error']}") from error
        except OSError:
            pass
        time.sleep(2**attempt / 2)
    raise SystemExit("the service could not be reached")


def verify(raw_body: bytes, headers, secret: str, now: float | None = None) -> dict:
    """The event of a delivery, once its signature holds. Raises ValueError otherwise."""
    timestamp = headers.get("x-kyc-timestamp", "")
    if not (timestamp.isascii() and timestamp.isdigit()):
        raise ValueError("no timestamp")
    if abs((time.time() if now is None else now) - int(timestamp)) > TOLERANCE_SECONDS:
        raise ValueError("too old")
    digest = hmac.new(secret.encode(), timestamp.encode() + b"." + raw_body, hashlib.sha256)
    expected = f"v1={digest.hexdigest()}"
    # Compared in constant time, and as bytes because a header can contain any characters.
    if not hmac.compare_digest(expected.encode(), headers.get("x-kyc-signature", "").encode()):
        raise ValueError("bad signature")
    return json.loads(raw_body)


class Receiver(BaseHTTPRequestHandler):
    handled: set[str] = set()

    def do_POST(self) -> None:
        length = int(self.headers.get("content-length", "0"))
        if length > MAX_BODY_BYTES:
            self.send_error(413)
            return
        raw_body = self.rfile.read(length)
        try:
            event = verify(raw_body, self.headers, os.environ["KYC_WEBHOOK_SECRET"])
        except ValueError:
            self.send_response(400)
            self.end_headers()
            return
        # A delivery can be repeated with the same delivery_id. In production, store the ids in a table, not in memory.
        if event["delivery_id"] not in self.handled:
            self.handled.add(event["delivery_id"])
            if event["event"] == "session.status_updated":
                print(event["data"]["session_id"], event["data"]["status"], flush=True)
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


def main() -> None:
    if sys.argv[1:2] == ["create"]:
        metadata = json.loads(sys.argv[3]) if len(sys.argv) > 3 else {}
        session = create_session(sys.argv[2], metadata)
        print(json.dumps({"session_id": session["session_id"], "url": session["url"]}))
    elif sys.argv[1:2] == ["receive"]:
        server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "3000"))), Receiver)
        print(f"listening on {server.server_port}", flush=True)
        server.serve_forever()
    else:
        raise SystemExit(__doc__)


if __name__ == "__main__":
    main()
