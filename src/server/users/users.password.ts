import { argon2, randomBytes, timingSafeEqual } from "node:crypto";
import { Batcher } from "../platform/db/batcher.ts";

/** OWASP Password Storage Cheat Sheet, argon2id: 19 MiB, 2 passes, 1 lane. */
const usual = { memory: 19_456, passes: 2, parallelism: 1 };
const saltBytes = 16; // RFC 9106 §3.1
const hashBytes = 32;

type Work = typeof usual & { password: string; salt: Buffer; length: number };

/** Few at a time, so that passwords leave the processor to orders. Throws BatcherFull when too many wait. */
const queue = (concurrency: number) =>
  new Batcher<Work, Buffer>((works) => Promise.all(works.map(derive)), {
    concurrency,
    batchMax: 1,
    queueMax: 1_000,
    mayRepeat: () => false,
  });

/** Apart, so that a crowd of newcomers makes nobody wait who signs in. */
const signIns = queue(2);
const newPasswords = queue(1);

/** Returns a PHC string, with salt and parameters. Throws BatcherFull. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes);
  const hash = await newPasswords.submit({ ...usual, password, salt, length: hashBytes });
  return written(salt, hash);
}

/** Stored where no password is to be right until the next one is set. */
export const noPassword = (): string => written(randomBytes(saltBytes), randomBytes(hashBytes));

function written(salt: Buffer, hash: Buffer): string {
  const { memory, passes, parallelism } = usual;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(salt)}$${base64(hash)}`;
}

const phc = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/** Whether a password matches a PHC string. Without a string it costs the same time. Throws BatcherFull. */
export async function isPassword(password: string, stored: string | undefined): Promise<boolean> {
  if (stored === undefined) {
    await signIns.submit({ ...usual, password, salt: randomBytes(saltBytes), length: hashBytes });
    return false;
  }
  const [, memory, passes, parallelism, salt = "", hash = ""] = phc.exec(stored) ?? [];
  if (hash === "") throw new Error("a stored password hash is none of ours");
  const expected = Buffer.from(hash, "base64");
  const derived = await signIns.submit({
    password,
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    salt: Buffer.from(salt, "base64"),
    length: expected.length,
  });
  return timingSafeEqual(derived, expected);
}

function derive({ password, salt, length, ...parameters }: Work): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  argon2("argon2id", { ...parameters, message: password, nonce: salt, tagLength: length }, (fault, key) =>
    fault ? reject(fault) : resolve(key),
  );
  return promise;
}

/** PHC strings omit the padding. */
function base64(bytes: Buffer): string {
  return bytes.toString("base64").replace(/=+$/, "");
}
