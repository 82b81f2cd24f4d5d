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

// ChaCha20-Poly1305 (RFC 8439): Node's own ciphers take three times as long for short texts.
await sodium.ready;
const nonceBytes = sodium.crypto_aead_chacha20poly1305_ietf_NPUBBYTES;

/** Encrypts secrets that are read again, and hashes those that are only compared. */
export interface Seal {
  /** Different bytes each time. */
  seal(text: string): Buffer;
  /** Throws for another key or changed bytes. */
  open(sealed: Uint8Array): string;
  /** A keyed hash; `purpose` separates tokens, codes and the rest. */
  hash(purpose: string, text: string): Buffer;
}

/** Undefined where `open` throws. */
export function openOrNone(seal: Seal, sealed: Uint8Array): string | undefined {
  try {
    return seal.open(sealed);
  } catch {
    return undefined;
  }
}

const noncesAtOnce = 256;

/** Draws many nonces at once, which is cheaper. Never repeats one. */
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

export function createSeal(secretKey: Uint8Array): Seal {
  const derive = (info: string) => Buffer.from(hkdfSync("sha256", secretKey, "postern", info, 32));
  const sealKey = derive("seal at rest, chacha20-poly1305");
  // Prepared once: every call hashes its token.
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

/** Opens what was sealed with AES-256-GCM until November 2026. */
function openOlder(key: Uint8Array, sealed: Uint8Array): string {
  const decipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(0, nonceBytes));
  decipher.setAuthTag(sealed.subarray(-olderTagBytes));
  const body = decipher.update(sealed.subarray(nonceBytes, -olderTagBytes));
  return Buffer.concat([body, decipher.final()]).toString("utf8");
}

const digest = (text: string) => createHash("sha256").update(text).digest();

/** Compares in constant time. */
export const isSameSecret = (one: string, other: string): boolean =>
  timingSafeEqual(digest(one), digest(other));
