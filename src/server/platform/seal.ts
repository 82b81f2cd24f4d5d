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
import type { Fragment, Sql } from "./db/db.ts";

// ChaCha20-Poly1305 (RFC 8439): Node's own ciphers take three times as long for short texts.
await sodium.ready;
const nonceBytes = sodium.crypto_aead_chacha20poly1305_ietf_NPUBBYTES;

/** Encrypts secrets that are read again, and hashes those that are only compared. */
export interface Seal {
  /** Different bytes each time. */
  seal(text: string): Buffer;
  /** What the key sealed, or the key before. Throws for another key or changed bytes. */
  open(sealed: Uint8Array): string;
  /** What the key itself sealed. */
  openOwn(sealed: Uint8Array): string;
  /** A keyed hash; `purpose` separates tokens, codes and the rest. */
  hash(purpose: string, text: string): Buffer;
  /** All hashes under which something may be kept: by the key, and by the key before while there is one. */
  hashes(purpose: string, text: string): readonly [own: Buffer, before?: Buffer];
  /** Tells keys apart, and nothing else about them. */
  readonly keyId: number;
  /** The key before (SECRET_KEY_OLD). */
  readonly before: Seal | undefined;
}

/** A condition on a column: it is one of these hashes. With one of them the statement is what it is without keys that change. */
export const isOneOf = (sql: Sql, [own, before]: ReturnType<Seal["hashes"]>): Fragment =>
  before === undefined ? sql`= ${own}` : sql`in (${own}, ${before})`;

/** Undefined where `open` throws. */
export function openOrNone(seal: Pick<Seal, "open">, sealed: Uint8Array): string | undefined {
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

/** `keyBefore` only reads: what it sealed opens, and what it hashed is looked up. */
export function createSeal(secretKey: Uint8Array, keyBefore?: Uint8Array): Seal {
  const own = sealOfOne(secretKey);
  if (keyBefore === undefined) return own;
  const before = sealOfOne(keyBefore);
  return {
    ...own,
    open: (sealed) => openOrNone(own, sealed) ?? before.open(sealed),
    hashes: (purpose, text) => [own.hash(purpose, text), before.hash(purpose, text)],
    before,
  };
}

function sealOfOne(secretKey: Uint8Array): Seal {
  const derive = (info: string) => Buffer.from(hkdfSync("sha256", secretKey, "postern", info, 32));
  const sealKey = derive("seal at rest, chacha20-poly1305");
  // Prepared once: every call hashes its token.
  const hashKey = createSecretKey(derive("keyed hashes"));
  const nextNonce = nonceMaker();
  const hash: Seal["hash"] = (purpose, text) =>
    createHmac("sha256", hashKey).update(purpose).update("\0").update(text).digest();
  const open = (sealed: Uint8Array): string => {
    const [nonce, box] = [sealed.subarray(0, nonceBytes), sealed.subarray(nonceBytes)];
    try {
      return sodium.crypto_aead_chacha20poly1305_ietf_decrypt(null, box, null, nonce, sealKey, "text");
    } catch {
      return openOlder(derive("seal at rest"), sealed);
    }
  };
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
    open,
    openOwn: open,
    hash,
    hashes: (purpose, text) => [hash(purpose, text)],
    keyId: hash("key", "id").readInt32BE(),
    before: undefined,
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
