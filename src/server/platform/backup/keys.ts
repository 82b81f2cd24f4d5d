// A backup is encrypted for a public key: the shop that writes it cannot read it. A key of its own is sealed for the public one
// (libsodium, sealed box), and encrypts the stream (secretstream, XChaCha20-Poly1305), which knows when its end is missing.
import sodium from "libsodium-wrappers";
import { damaged, Pull, Unusable, withSize } from "./backup.pull.ts";

await sodium.ready;

const publicBegin = "backup-public-";
const privateBegin = "backup-private-";
const keyBytes = 32;

const asText = (begin: string, key: Uint8Array) => begin + Buffer.from(key).toString("base64url");

function fromText(begin: string, text: string): Uint8Array | undefined {
  const key = Buffer.from(text.slice(begin.length), "base64url");
  return text.startsWith(begin) && key.length === keyBytes && asText(begin, key) === text ? key : undefined;
}

/** The key of BACKUP_KEY; undefined: it is none. */
export const readPublicKey = (text: string) => fromText(publicBegin, text);
/** The key of BACKUP_PRIVATE_KEY; undefined: it is none. */
export const readPrivateKey = (text: string) => fromText(privateBegin, text);

export function makeKeys(): { publicKey: string; privateKey: string } {
  const { publicKey, privateKey } = sodium.crypto_box_keypair();
  return { publicKey: asText(publicBegin, publicKey), privateKey: asText(privateBegin, privateKey) };
}

/** What stands at the beginning of an encrypted backup. */
export interface Envelope {
  /** The public key for which it is. */
  readonly for: string;
  readonly key: string;
  readonly stream: string;
}

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");

/** For a public key: what the reader needs of it, and what encrypts. */
export function sealFor(publicKey: Uint8Array) {
  const key = sodium.crypto_secretstream_xchacha20poly1305_keygen();
  const { state, header } = sodium.crypto_secretstream_xchacha20poly1305_init_push(key);
  const push = (piece: Uint8Array, tag: number) =>
    withSize(sodium.crypto_secretstream_xchacha20poly1305_push(state, piece, null, tag));
  const envelope: Envelope = {
    for: asText(publicBegin, publicKey),
    key: base64(sodium.crypto_box_seal(key, publicKey)),
    stream: base64(header),
  };
  return {
    envelope,
    seal: async function* (pieces: AsyncIterable<Buffer>) {
      for await (const piece of pieces)
        yield push(piece, sodium.crypto_secretstream_xchacha20poly1305_TAG_MESSAGE);
      yield push(Buffer.alloc(0), sodium.crypto_secretstream_xchacha20poly1305_TAG_FINAL);
    },
  };
}

/** What was encrypted. Throws Unusable without the right key, for changed bytes, and where the end is missing. */
export function openWith(
  { for: wanted, key: sealed, stream }: Envelope,
  privateKey: Uint8Array | undefined,
): (pieces: AsyncIterable<Buffer>) => AsyncGenerator<Buffer> {
  if (privateKey === undefined)
    throw new Unusable(
      `The backup is encrypted for ${wanted}: BACKUP_PRIVATE_KEY (or BACKUP_PRIVATE_KEY_FILE) must name the private key of it. ` +
        "Without that key nobody can read it.",
    );
  const publicKey = sodium.crypto_scalarmult_base(privateKey);
  if (asText(publicBegin, publicKey) !== wanted)
    throw new Unusable(
      `BACKUP_PRIVATE_KEY belongs to ${asText(publicBegin, publicKey)}, but the backup is encrypted for ${wanted}.`,
    );
  const state = orDamaged(() => {
    const key = sodium.crypto_box_seal_open(Buffer.from(sealed, "base64"), publicKey, privateKey);
    return sodium.crypto_secretstream_xchacha20poly1305_init_pull(Buffer.from(stream, "base64"), key);
  });
  return async function* (pieces) {
    const pull = new Pull(pieces);
    for (let tag = -1; tag !== sodium.crypto_secretstream_xchacha20poly1305_TAG_FINAL;) {
      const frame = await pull.sized();
      // Absent in their types: false for bytes that were changed.
      const opened = orDamaged(
        () =>
          sodium.crypto_secretstream_xchacha20poly1305_pull(state, frame, null) as
            | { message: Uint8Array; tag: number }
            | false,
      );
      if (!opened) throw new Unusable(damaged);
      tag = opened.tag;
      if (opened.message.length > 0) yield Buffer.from(opened.message);
    }
  };
}

function orDamaged<Value>(work: () => Value): Value {
  try {
    return work();
  } catch (cause) {
    throw new Unusable(damaged, { cause });
  }
}
