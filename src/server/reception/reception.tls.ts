import { X509Certificate, createPrivateKey, randomBytes, type KeyObject } from "node:crypto";
import { link, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createSecureContext } from "node:tls";
import { alertsAt } from "../platform/alerts.ts";
import { certificateFor, type Certificate } from "../platform/certificate.ts";
import { now, secondsAfter } from "../platform/clock.ts";
import { ConfigError } from "../platform/config/config.ts";

/** PEM files: SMTP_TLS_CERT and SMTP_TLS_KEY. */
export interface CertificateFiles {
  readonly cert: string;
  readonly key: string;
}

/** Reads and checks the operator's certificate, which may have expired. Throws ConfigError that names the file and what is wrong. */
export async function readCertificate(files: CertificateFiles): Promise<Certificate> {
  const cert = await readSetting("SMTP_TLS_CERT", files.cert);
  const key = await readSetting("SMTP_TLS_KEY", files.key);
  const read = certificateIn(cert);
  if (!read) throw new ConfigError(`SMTP_TLS_CERT names ${files.cert}, which holds no certificate (PEM).`);
  const privateKey = keyIn(key);
  if (!privateKey)
    throw new ConfigError(
      `SMTP_TLS_KEY names ${files.key}, which holds no private key (PEM, without a passphrase).`,
    );
  if (!read.checkPrivateKey(privateKey))
    throw new ConfigError(
      `SMTP_TLS_KEY names ${files.key}, which is not the key of the first certificate in ${files.cert}.`,
    );
  if (read.validFromDate > now())
    throw new ConfigError(
      `SMTP_TLS_CERT names ${files.cert}, which is valid only from ${read.validFromDate.toISOString()}.`,
    );
  try {
    createSecureContext({ cert, key });
  } catch (cause) {
    throw new ConfigError(`SMTP_TLS_CERT names ${files.cert}, which cannot be used: ${String(cause)}.`, {
      cause,
    });
  }
  return { cert, key };
}

export function validUntil({ cert }: Certificate): Date {
  return new X509Certificate(cert).validToDate;
}

/** Whether what is valid until then should be renewed by now. */
export const endsSoon = (until: Date): boolean => until < secondsAfter(now(), alertsAt.CertificateEnds);

async function readSetting(name: string, path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    const { code = "unknown" } = cause as NodeJS.ErrnoException;
    const why = code === "ENOENT" ? "which does not exist" : `which cannot be read (${code})`;
    throw new ConfigError(`${name} names ${path}, ${why}.`, { cause });
  }
}

function certificateIn(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem);
  } catch {
    // The caller reports it with the file's name.
    return undefined;
  }
}

function keyIn(pem: string): KeyObject | undefined {
  try {
    return createPrivateKey(pem);
  } catch {
    // The parser's error may quote the file: nothing of it is reported.
    return undefined;
  }
}

/** The self-signed certificate of a demonstration, created once in `folder`, used until it expires, shared by processes that start together. */
export async function ownCertificate(folder: string, hostname: string): Promise<Certificate> {
  const path = join(folder, "smtp.pem");
  const found = await readOwn(path);
  if (found) return found;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { key, cert } = certificateFor(/^[a-z0-9.-]{1,64}$/i.test(hostname) ? hostname : "localhost");
  const mine = `${path}.${randomBytes(4).toString("hex")}`;
  await writeFile(mine, key + cert, { mode: 0o600 });
  try {
    // A link appears with its whole content, and only for the first process.
    await link(mine, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    if (!(await readOwn(path))) await rename(mine, path);
  } finally {
    await rm(mine, { force: true });
  }
  const made = await readOwn(path);
  if (!made) throw new Error(`${path} was written and cannot be used`);
  return made;
}

async function readOwn(path: string): Promise<Certificate | undefined> {
  try {
    const found = await readCertificate({ cert: path, key: path });
    return validUntil(found) > now() ? found : undefined;
  } catch (fault) {
    if (fault instanceof ConfigError) return undefined;
    throw fault;
  }
}
