// A device with passkeys, in software: what a browser answers for it (WebAuthn, ES256, attestation "none").
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";

const sha256 = (data: string | Uint8Array) => createHash("sha256").update(data).digest();
const text = (data: Uint8Array) => Buffer.from(data).toString("base64url");

interface Asked {
  readonly challenge: string;
  readonly origin?: string;
  readonly host?: string;
  /** Whether it knows its person by a finger or a code. */
  readonly knows?: boolean;
}

/** Of RFC 8949 what is needed here: a byte string. */
const bytes = (data: Uint8Array) => Buffer.concat([Buffer.from([0x58, data.length]), data]);
const word = (said: string) => Buffer.concat([Buffer.from([0x60 + said.length]), Buffer.from(said)]);

export class Passkey {
  readonly id = text(randomBytes(16));
  counter = 0;
  readonly #key: KeyObject;
  readonly #cose: Buffer;

  constructor() {
    const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    this.#key = privateKey;
    const { x = "", y = "" } = publicKey.export({ format: "jwk" });
    // RFC 9053 §7.1.1: EC2, ES256, P-256.
    this.#cose = Buffer.concat([
      Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
      bytes(Buffer.from(x, "base64url")),
      Buffer.from([0x22]),
      bytes(Buffer.from(y, "base64url")),
    ]);
  }

  /** The answer to navigator.credentials.create(). */
  made(asked: Asked): string {
    const id = Buffer.from(this.id, "base64url");
    const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, this.#cose]);
    const attestation = Buffer.concat([
      Buffer.from([0xa3]),
      word("fmt"),
      word("none"),
      word("attStmt"),
      Buffer.from([0xa0]),
      word("authData"),
      bytes(Buffer.concat([this.#head(asked, 0x40), attested])),
    ]);
    return this.#answer({
      clientDataJSON: text(this.#said("webauthn.create", asked)),
      attestationObject: text(attestation),
      transports: ["internal"],
    });
  }

  /** The answer to navigator.credentials.get(). */
  used(asked: Asked): string {
    const head = this.#head(asked, 0);
    const said = this.#said("webauthn.get", asked);
    return this.#answer({
      clientDataJSON: text(said),
      authenticatorData: text(head),
      signature: text(sign("sha256", Buffer.concat([head, sha256(said)]), this.#key)),
    });
  }

  #said(type: string, { challenge, origin = "http://localhost" }: Asked): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  }

  #head({ host = "localhost", knows = true }: Asked, more: number): Buffer {
    const head = Buffer.alloc(37);
    sha256(host).copy(head);
    head[32] = 0x01 | (knows ? 0x04 : 0) | more;
    head.writeUInt32BE(++this.counter, 33);
    return head;
  }

  #answer(response: object): string {
    return JSON.stringify({
      id: this.id,
      rawId: this.id,
      type: "public-key",
      response,
      clientExtensionResults: {},
    });
  }
}
