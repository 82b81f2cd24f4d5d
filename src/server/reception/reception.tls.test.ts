import { chmod, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { generateKeyPairSync } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { certificateFor } from "../platform/certificate.ts";
import { now, secondsAfter } from "../platform/clock.ts";
import { ownCertificate, readCertificate, validUntil } from "./reception.tls.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "postern-tls-"));
});
afterAll(() => rm(folder, { recursive: true }));

const hour = 3600;
const good = certificateFor("mx.letters.test");
const between = (from: number, until: number) =>
  certificateFor("mx.letters.test", { from: secondsAfter(now(), from), until: secondsAfter(now(), until) });

let files = 0;
async function written(cert: string, key: string) {
  const name = join(folder, String(++files));
  await writeFile(`${name}.crt`, cert);
  await writeFile(`${name}.key`, key);
  return { cert: `${name}.crt`, key: `${name}.key` };
}

test("a certificate and its key are read, with the chain behind it", async () => {
  const chain = good.cert + certificateFor("authority.test").cert;
  expect(await readCertificate(await written(chain, good.key))).toEqual({ cert: chain, key: good.key });
  expect(validUntil(good) > secondsAfter(now(), 365 * 24 * hour)).toBe(true);
});

const locked = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({
  type: "pkcs8",
  format: "pem",
  cipher: "aes-256-cbc",
  passphrase: "secret",
}) as string;
const weak = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({
  type: "pkcs8",
  format: "pem",
}) as string;

test.each([
  [
    "not valid yet",
    between(hour, 2 * hour),
    /^SMTP_TLS_CERT names \S+\.crt, which is valid only from 20\S+Z\.$/,
  ],
  [
    "no PEM",
    { ...good, cert: "hello" },
    /^SMTP_TLS_CERT names \S+\.crt, which holds no certificate \(PEM\)\.$/,
  ],
  ["a broken key", { ...good, key: "hello" }, /^SMTP_TLS_KEY names \S+\.key, which holds no private key/],
  [
    "a key with a passphrase",
    { ...good, key: locked },
    /^SMTP_TLS_KEY names \S+\.key, .*without a passphrase/,
  ],
  [
    "another's key",
    { ...good, key: weak },
    /^SMTP_TLS_KEY names \S+\.key, which is not the key of the first/,
  ],
])(
  "a certificate that is %s is refused by a sentence that names the file",
  async (_what, { cert, key }, sentence) => {
    await expect(readCertificate(await written(cert, key))).rejects.toThrow(sentence);
  },
);

test("a file that is not there, or cannot be read, is named with its setting", async () => {
  const there = await written(good.cert, good.key);
  await expect(readCertificate({ ...there, cert: "/nowhere/a.crt" })).rejects.toThrow(
    "SMTP_TLS_CERT names /nowhere/a.crt, which does not exist.",
  );
  await expect(readCertificate({ ...there, key: folder })).rejects.toThrow(
    `SMTP_TLS_KEY names ${folder}, which cannot be read (EISDIR).`,
  );
});

test("no sentence repeats what is in a file", async () => {
  const secret = good.key.split("\n")[1]!;
  const fault = await readCertificate(await written(good.key, good.key)).catch(String);
  expect(fault).toMatch(/no certificate/);
  expect(fault).not.toContain(secret);
});

test("a demonstration makes its certificate once, for its owner alone", async () => {
  const home = join(folder, "demo");
  const [one, two] = await Promise.all([ownCertificate(home, "mx.test"), ownCertificate(home, "mx.test")]);
  expect(one.key).toBe(two.key);
  expect(await ownCertificate(home, "mx.test")).toEqual(one);
  expect(await readdir(home)).toEqual(["smtp.pem"]);
  expect((await stat(join(home, "smtp.pem"))).mode & 0o777).toBe(0o600);
});

test("a demonstration makes a new certificate when the old one has expired or is spoilt", async () => {
  const home = join(folder, "old");
  const first = await ownCertificate(home, "büro");
  const old = between(-2 * hour, -hour);
  await writeFile(join(home, "smtp.pem"), old.key + old.cert);
  await chmod(join(home, "smtp.pem"), 0o644);
  const second = await ownCertificate(home, "büro");
  expect(second.key).not.toBe(old.key);
  expect(second.key).not.toBe(first.key);
  expect((await stat(join(home, "smtp.pem"))).mode & 0o777).toBe(0o600);
});
