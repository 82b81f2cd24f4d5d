import { generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { now, secondsAfter } from "./clock.ts";

/** PEM; a chain begins with the own certificate. */
export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

export interface Validity {
  readonly from: Date;
  readonly until: Date;
}

const daySeconds = 24 * 3600;

/** A self-signed certificate (RFC 5280 §4.1), valid for ten years unless said otherwise. */
export function certificateFor(name: string, validity: Validity = tenYears()): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const algorithm = sequence(oid("2a8648ce3d040302"));
  const who = sequence(der(0x31, sequence(oid("550403"), der(0x0c, Buffer.from(name)))));
  const names = sequence(der(0x82, Buffer.from(name)));
  const isAuthority = sequence(yes);
  const extensions = sequence(
    sequence(oid("551d11"), der(0x04, names)),
    sequence(oid("551d13"), yes, der(0x04, isAuthority)),
  );
  const body = sequence(
    der(0xa0, Buffer.from("020102", "hex")),
    der(0x02, Buffer.concat([Buffer.of(1), randomBytes(8)])),
    algorithm,
    who,
    sequence(time(validity.from), time(validity.until)),
    who,
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, extensions),
  );
  const signature = Buffer.concat([Buffer.of(0), sign("sha256", body, privateKey)]);
  const whole = sequence(body, algorithm, der(0x03, signature));
  const text = whole.toString("base64").replace(/.{64}(?=.)/g, "$&\n");
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }) as string,
    cert: `-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----\n`,
  };
}

// From a day ago: clocks of clients differ.
function tenYears(): Validity {
  return { from: secondsAfter(now(), -daySeconds), until: secondsAfter(now(), 3650 * daySeconds) };
}

function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size =
    length < 128
      ? Buffer.of(length)
      : length < 256
        ? Buffer.of(0x81, length)
        : Buffer.of(0x82, length >> 8, length & 255);
  return Buffer.concat([Buffer.of(tag), size, content]);
}

// Two digits of the year until 2049, four from 2050 (RFC 5280 §4.1.2.5).
function time(at: Date): Buffer {
  const digits = at.toISOString().replace(/\.\d+|\D/g, "");
  return digits < "2050"
    ? der(0x17, Buffer.from(`${digits.slice(2)}Z`))
    : der(0x18, Buffer.from(`${digits}Z`));
}

const sequence = (...parts: Buffer[]) => der(0x30, Buffer.concat(parts));
const oid = (hex: string) => der(0x06, Buffer.from(hex, "hex"));
const yes = der(0x01, Buffer.of(0xff));
