import { X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import nodemailer from "nodemailer";
import { expect, test } from "vitest";
import { freePort } from "../../test/kit/port.ts";
import { startShop } from "../../test/kit/shop.ts";

/** What the reception says to a mail program that insists on STARTTLS and trusts these certificates. */
async function verify(port: number, ca: string, servername: string): Promise<boolean> {
  const transport = nodemailer.createTransport({
    host: "127.0.0.1",
    port,
    requireTLS: true,
    tls: { ca, servername },
  });
  return transport.verify().finally(() => transport.close());
}

test("a demonstration receives letters over STARTTLS with a certificate of its own", async () => {
  const port = await freePort();
  const shop = await startShop({ SMTP_PORT: String(port) });
  try {
    const pem = await readFile(join(shop.dataDir, "smtp.pem"), "utf8");
    const own = new X509Certificate(pem);
    const name = own.subjectAltName?.replace("DNS:", "") ?? "";
    expect(await verify(port, own.toString(), name)).toBe(true);
  } finally {
    await shop.stop();
  }
});

test("a shop whose certificate is not there does not start, and says so", async () => {
  const settings = { SMTP_TLS_CERT: "/nowhere/mx.crt", SMTP_TLS_KEY: "/nowhere/mx.key" };
  await expect(startShop(settings)).rejects.toThrow(
    "SMTP_TLS_CERT names /nowhere/mx.crt, which does not exist.",
  );
});
