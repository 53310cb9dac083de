// Creates a session and receives its webhooks, using only Go's standard library.
//
//	KYC_API_KEY=kyc_test_... go run . create customer-17
//	KYC_WEBHOOK_SECRET=whsec_... PORT=3000 go run . receive
package main

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"sync"
	"time"
)

const (
	tolerance    = 300 * time.Second
	maxBodyBytes = 1 << 20
)

func env(name, fallback string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return fallback
}

type session struct {
	SessionID string `json:"session_id"`
	URL       string `json:"url"`
}

// createSession retries under the same Idempotency-Key, so a lost response never creates a second session.
func createSession(vendorData string, metadata json.RawMessage) (*session, error) {
	body, err := json.Marshal(map[string]any{"vendor_data": vendorData, "metadata": metadata})
	if err != nil {
		return nil, err
	}
	key := make([]byte, 16)
	if _, err := rand.Read(key); err != nil {
		return nil, err
	}
	client := http.Client{Timeout: 30 * time.Second}
	var last error
	for attempt := 0; attempt < 3; attempt++ {
		if attempt > 0 {
			time.Sleep(time.Duration(attempt) * time.Second)
		}
		request, err := http.NewRequest(http.MethodPost, env("KYC_BASE_URL", "http://localhost:8080")+"/v1/sessions", bytes.NewReader(body))
		if err != nil {
			return nil, err
		}
		request.Header.Set("x-api-key", os.Getenv("KYC_API_KEY"))
		request.Header.Set("content-type", "application/json")
		request.Header.Set("idempotency-key", hex.EncodeToString(key))
		response, err := client.Do(request)
		if err != nil {
			last = err
			continue
		}
		answer, err := io.ReadAll(io.LimitReader(response.Body, maxBodyBytes))
		response.Body.Close()
		if err != nil {
			last = err
			continue
		}
		if response.StatusCode == http.StatusCreated {
			var made session
			return &made, json.Unmarshal(answer, &made)
		}
		last = fmt.Errorf("refused: %s", answer)
		if response.StatusCode < 500 && response.StatusCode != http.StatusTooManyRequests {
			return nil, last
		}
	}
	return nil, last
}

type event struct {
	Event      string `json:"event"`
	DeliveryID string `json:"delivery_id"`
	Data       struct {
		SessionID string `json:"session_id"`
		Status    string `json:"status"`
	} `json:"data"`
}

// verify returns the event of a delivery if its signature over the raw body is valid.
func verify(rawBody []byte, header http.Header, secret string, now time.Time) (*event, error) {
	timestamp := header.Get("x-kyc-timestamp")
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil {
		return nil, errors.New("no timestamp")
	}
	if age := now.Sub(time.Unix(seconds, 0)); age > tolerance || age < -tolerance {
		return nil, errors.New("too old")
	}
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(timestamp + "."))
	mac.Write(rawBody)
	expected := "v1=" + hex.EncodeToString(mac.Sum(nil))
	// Compares in constant time.
	if !hmac.Equal([]byte(expected), []byte(header.Get("x-kyc-signature"))) {
		return nil, errors.New("bad signature")
	}
	var received event
	return &received, json.Unmarshal(rawBody, &received)
}

func receive() error {
	secret := os.Getenv("KYC_WEBHOOK_SECRET")
	// A delivery can be repeated with the same delivery_id. In production, store the ids in a table, not in memory.
	var handled sync.Map
	handler := http.HandlerFunc(func(response http.ResponseWriter, request *http.Request) {
		rawBody, err := io.ReadAll(http.MaxBytesReader(response, request.Body, maxBodyBytes))
		if err != nil {
			return
		}
		received, err := verify(rawBody, request.Header, secret, time.Now())
		if err != nil {
			response.WriteHeader(http.StatusBadRequest)
			return
		}
		if _, before := handled.LoadOrStore(received.DeliveryID, true); !before && received.Event == "session.status_updated" {
			fmt.Println(received.Data.SessionID, received.Data.Status)
		}
		response.WriteHeader(http.StatusNoContent)
	})
	listener, err := net.Listen("tcp", "127.0.0.1:"+env("PORT", "3000"))
	if err != nil {
		return err
	}
	fmt.Println("listening on", listener.Addr().(*net.TCPAddr).Port)
	return (&http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second}).Serve(listener)
}

func run(arguments []string) error {
	switch {
	case len(arguments) >= 2 && arguments[0] == "create":
		metadata := json.RawMessage("{}")
		if len(arguments) > 2 {
			metadata = json.RawMessage(arguments[2])
		}
		made, err := createSession(arguments[1], metadata)
		if err != nil {
			return err
		}
		return json.NewEncoder(os.Stdout).Encode(made)
	case len(arguments) == 1 && arguments[0] == "receive":
		return receive()
	}
	return errors.New("usage: create VENDOR_DATA [METADATA] | receive")
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
