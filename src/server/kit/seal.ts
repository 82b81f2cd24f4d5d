import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomFillSync,
} from "node:crypto";

const algorithm = "aes-256-gcm";
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

const ivsAtOnce = 256;

/** Random bytes cost the less the more of them are asked for at once. None is given twice. */
function ivMaker(): () => Uint8Array {
  const drawn = Buffer.alloc(ivsAtOnce * ivBytes);
  let at = drawn.length;
  return () => {
    if (at === drawn.length) {
      randomFillSync(drawn);
      at = 0;
    }
    return drawn.subarray(at, (at += ivBytes));
  };
}

/** Makes the seal of a shop from its SECRET_KEY. */
export function createSeal(secretKey: Uint8Array): Seal {
  const derive = (info: string) => Buffer.from(hkdfSync("sha256", secretKey, "postern", info, 32));
  // Keys that are prepared once: every call of the API hashes its token, and a file of an investor seals millions of passwords.
  const sealKey = createSecretKey(derive("seal at rest"));
  const hashKey = createSecretKey(derive("keyed hashes"));
  const nextIv = ivMaker();
  return {
    seal(text) {
      const iv = nextIv();
      const cipher = createCipheriv(algorithm, sealKey, iv);
      const body = cipher.update(text, "utf8");
      // Of this cipher nothing is left for the end.
      cipher.final();
      return Buffer.concat([iv, body, cipher.getAuthTag()]);
    },
    open(sealed) {
      const bytes = Buffer.from(sealed);
      const decipher = createDecipheriv(algorithm, sealKey, bytes.subarray(0, ivBytes));
      decipher.setAuthTag(bytes.subarray(-tagBytes));
      const body = decipher.update(bytes.subarray(ivBytes, -tagBytes));
      return Buffer.concat([body, decipher.final()]).toString("utf8");
    },
    hash: (purpose, text) => createHmac("sha256", hashKey).update(purpose).update("\0").update(text).digest(),
  };
}
