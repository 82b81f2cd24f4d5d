import {
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomFillSync,
  timingSafeEqual,
} from "node:crypto";
import sodium from "libsodium-wrappers";

// ChaCha20-Poly1305 (RFC 8439), by a library: the runtime's own ciphers take three times as long for a text as short as a password.
await sodium.ready;
const nonceBytes = sodium.crypto_aead_chacha20poly1305_ietf_NPUBBYTES;

/** What keeps secrets at rest: sealing for what must be read again, hashing for what must only be recognised. */
export interface Seal {
  /** Encrypts a text; sealing the same text twice gives different bytes. */
  seal(text: string): Buffer;
  /** Decrypts what `seal` made. Throws when it was made with another key or was changed. */
  open(sealed: Uint8Array): string;
  /** A keyed hash; `purpose` keeps the hashes of tokens, codes and the rest apart. */
  hash(purpose: string, text: string): Buffer;
}

/** What `seal` made, or undefined where `open` throws: it was made with another key or was changed. */
export function openOrNone(seal: Seal, sealed: Uint8Array): string | undefined {
  try {
    return seal.open(sealed);
  } catch {
    return undefined;
  }
}

const noncesAtOnce = 256;

/** Random bytes cost the less the more of them are asked for at once. None is given twice. */
function nonceMaker(): () => Uint8Array {
  const drawn = Buffer.alloc(noncesAtOnce * nonceBytes);
  let at = drawn.length;
  return () => {
    if (at === drawn.length) {
      randomFillSync(drawn);
      at = 0;
    }
    return drawn.subarray(at, (at += nonceBytes));
  };
}

/** Makes the seal of a shop from its SECRET_KEY. */
export function createSeal(secretKey: Uint8Array): Seal {
  const derive = (info: string) => Buffer.from(hkdfSync("sha256", secretKey, "postern", info, 32));
  const sealKey = derive("seal at rest, chacha20-poly1305");
  // Prepared once: every call of the API hashes its token.
  const hashKey = createSecretKey(derive("keyed hashes"));
  const nextNonce = nonceMaker();
  return {
    seal(text) {
      const nonce = nextNonce();
      const box = sodium.crypto_aead_chacha20poly1305_ietf_encrypt(
        Buffer.from(text),
        null,
        null,
        nonce,
        sealKey,
      );
      return Buffer.concat([nonce, box]);
    },
    open(sealed) {
      const [nonce, box] = [sealed.subarray(0, nonceBytes), sealed.subarray(nonceBytes)];
      try {
        return sodium.crypto_aead_chacha20poly1305_ietf_decrypt(null, box, null, nonce, sealKey, "text");
      } catch {
        return openOlder(derive("seal at rest"), sealed);
      }
    },
    hash: (purpose, text) => createHmac("sha256", hashKey).update(purpose).update("\0").update(text).digest(),
  };
}

const olderTagBytes = 16;

/** What was sealed until November 2026, with AES-256-GCM and a start of as many bytes. */
function openOlder(key: Uint8Array, sealed: Uint8Array): string {
  const decipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(0, nonceBytes));
  decipher.setAuthTag(sealed.subarray(-olderTagBytes));
  const body = decipher.update(sealed.subarray(nonceBytes, -olderTagBytes));
  return Buffer.concat([body, decipher.final()]).toString("utf8");
}

const digest = (text: string) => createHash("sha256").update(text).digest();

/** Whether two secrets are the same, compared in a time that tells nothing of where they differ. */
export const isSameSecret = (one: string, other: string): boolean =>
  timingSafeEqual(digest(one), digest(other));
