import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomBytes,
} from "node:crypto";

const ivBytes = 12; // NIST SP 800-38D §8.2
const tagBytes = 16;

/** What keeps secrets at rest: sealing for what must be read again, hashing for what must only be recognised. */
export interface Seal {
  /** Encrypts a text; sealing the same text twice gives different bytes. */
  seal(text: string): Buffer;
  /** Decrypts what `seal` made. Throws when it was made with another key or was changed. */
  open(sealed: Uint8Array): string;
  /** A keyed hash; `purpose` keeps the hashes of tokens, codes and the rest apart. */
  hash(purpose: string, text: string): Buffer;
}

/** Makes the seal of a shop from its SECRET_KEY. */
export function createSeal(secretKey: Uint8Array): Seal {
  const derive = (info: string) => Buffer.from(hkdfSync("sha256", secretKey, "postern", info, 32));
  const sealKey = derive("seal at rest");
  // Every call of the API hashes its token: a key that is prepared once makes that five times as fast.
  const hashKey = createSecretKey(derive("keyed hashes"));
  return {
    seal(text) {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv("aes-256-gcm", sealKey, iv);
      const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return Buffer.concat([iv, body, cipher.getAuthTag()]);
    },
    open(sealed) {
      const bytes = Buffer.from(sealed);
      const decipher = createDecipheriv("aes-256-gcm", sealKey, bytes.subarray(0, ivBytes));
      decipher.setAuthTag(bytes.subarray(-tagBytes));
      const body = decipher.update(bytes.subarray(ivBytes, -tagBytes));
      return Buffer.concat([body, decipher.final()]).toString("utf8");
    },
    hash: (purpose, text) => createHmac("sha256", hashKey).update(purpose).update("\0").update(text).digest(),
  };
}
