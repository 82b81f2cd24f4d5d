const node = `import express from "express";
import { Webhook } from "standardwebhooks";

const webhook = new Webhook("whsec_…"); // better from your settings
const app = express();

// The signature is over the bytes that came: read them unparsed.
app.post("/letters", express.text({ type: "*/*" }), (request, response) => {
  let event;
  try {
    event = webhook.verify(request.body, request.headers);
  } catch {
    return response.sendStatus(401); // not from the shop, or too old
  }
  response.sendStatus(204); // answer first, work afterwards
  if (event.type === "letter") console.log(event.data.email, event.data.code);
});

app.listen(8080);`;

const python = `import base64, hashlib, hmac, json, time

def verify(secret: str, headers: dict, body: bytes) -> dict:
    if abs(time.time() - int(headers["webhook-timestamp"])) > 300:
        raise ValueError("too old")
    key = base64.b64decode(secret.removeprefix("whsec_"))
    head = f"{headers['webhook-id']}.{headers['webhook-timestamp']}."
    mac = hmac.new(key, head.encode() + body, hashlib.sha256).digest()
    wanted = "v1," + base64.b64encode(mac).decode()
    # For a day after the secret was replaced there are two signatures.
    given = headers["webhook-signature"].split(" ")
    if not any(hmac.compare_digest(wanted, one) for one in given):
        raise ValueError("not from the shop")
    return json.loads(body)`;

const go = `package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// The body is the bytes that came, not parsed.
func verify(secret string, header http.Header, body []byte) error {
	at, err := strconv.ParseInt(header.Get("webhook-timestamp"), 10, 64)
	if err != nil || time.Since(time.Unix(at, 0)).Abs() > 5*time.Minute {
		return errors.New("too old")
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		return err
	}
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%d.%s", header.Get("webhook-id"), at, body)
	wanted := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	// For a day after the secret was replaced there are two signatures.
	for _, given := range strings.Fields(header.Get("webhook-signature")) {
		if hmac.Equal([]byte(wanted), []byte(given)) {
			return nil
		}
	}
	return errors.New("not from the shop")
}`;

const php = `<?php
// Names of headers in lower case: array_change_key_case(getallheaders()); the body is file_get_contents('php://input').
function verify(string $secret, array $headers, string $body): array
{
    if (abs(time() - (int) $headers['webhook-timestamp']) > 300) {
        throw new RuntimeException('too old');
    }
    $key = base64_decode(substr($secret, strlen('whsec_')));
    $signed = $headers['webhook-id'] . '.' . $headers['webhook-timestamp'] . '.' . $body;
    $wanted = 'v1,' . base64_encode(hash_hmac('sha256', $signed, $key, true));
    // For a day after the secret was replaced there are two signatures.
    foreach (explode(' ', $headers['webhook-signature']) as $given) {
        if (hash_equals($wanted, $given)) {
            return json_decode($body, true, 512, JSON_THROW_ON_ERROR);
        }
    }
    throw new RuntimeException('not from the shop');
}`;

const java = `import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

class Signature {
    /** The three headers are webhook-id, webhook-timestamp and webhook-signature; the body is the text that came, not parsed. */
    static void verify(String secret, String id, String timestamp, String signatures, String body)
            throws GeneralSecurityException {
        if (Math.abs(Instant.now().getEpochSecond() - Long.parseLong(timestamp)) > 300)
            throw new GeneralSecurityException("too old");
        byte[] key = Base64.getDecoder().decode(secret.replaceFirst("^whsec_", ""));
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(key, "HmacSHA256"));
        byte[] signed = mac.doFinal((id + "." + timestamp + "." + body).getBytes(StandardCharsets.UTF_8));
        byte[] wanted = ("v1," + Base64.getEncoder().encodeToString(signed)).getBytes(StandardCharsets.UTF_8);
        // For a day after the secret was replaced there are two signatures.
        for (String given : signatures.split(" "))
            if (MessageDigest.isEqual(wanted, given.getBytes(StandardCharsets.UTF_8))) return;
        throw new GeneralSecurityException("not from the shop");
    }
}`;

export const signatureChecks = {
  javascript: { label: "Node.js", text: node },
  python: { label: "Python", text: python },
  go: { label: "Go", text: go },
  php: { label: "PHP", text: php },
  java: { label: "Java", text: java },
} as const;
