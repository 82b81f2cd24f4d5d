// @module-tag slow
// @module-tag full
import { generateKeyPairSync } from "node:crypto";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SMTPServer } from "smtp-server";
import { expect, onTestFinished, test, vi } from "vitest";
import { freePort } from "../../../test/kit/port.ts";
import { shopProcess } from "../../../test/kit/process.ts";

test("a mail that waits when the whole program is killed goes out after the next start, once, and signed", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "postern-mailed-"));
  const key = join(dataDir, "dkim.pem");
  const { privateKey } = generateKeyPairSync("ed25519");
  await writeFile(key, privateKey.export({ type: "pkcs8", format: "pem" }), { mode: 0o600 });
  const relayPort = await freePort();
  const place = { port: await freePort(), smtpPort: await freePort(), dataDir };
  const shop = shopProcess(place, {
    CAPTCHA: "off",
    MAIL_URL: `smtp://127.0.0.1:${relayPort}`,
    MAIL_FROM: "Shop <no-reply@shop.example>",
    DKIM_KEY: key,
    DKIM_SELECTOR: "postern1",
  });
  onTestFinished(() => shop.remove());
  await shop.start();
  const form = { email: "ann@example.com", password: "correct horse", recaptcha: "off" };
  const { status, token } = await post(`${shop.url}/user/registration`, form);
  expect(status).toBe("success");
  await shop.kill("program and database");

  const taken: string[] = [];
  const relay = new SMTPServer({
    disabledCommands: ["AUTH", "STARTTLS"],
    onData(stream, _session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        taken.push(Buffer.concat(chunks).toString());
        done();
      });
    },
  });
  await new Promise<void>((up) => relay.listen(relayPort, "127.0.0.1", up));
  onTestFinished(() => new Promise<void>((down) => relay.close(down)));
  await shop.start();
  await vi.waitFor(() => expect(taken).toHaveLength(1), { timeout: 60_000, interval: 100 });
  expect(taken[0]).toContain("To: ann@example.com");
  expect(taken[0]).toMatch(/^DKIM-Signature: v=1; a=ed25519-sha256;/);
  const [code = ""] = /^\d{6}$/m.exec(taken[0]?.replaceAll("\r", "") ?? "") ?? [];
  expect(await post(`${shop.url}/user/activate`, { token: String(token), code })).toMatchObject({
    status: "success",
  });
  expect(taken).toHaveLength(1);
}, 180_000);

async function post(url: string, form: Record<string, string>): Promise<Record<string, unknown>> {
  const answer = await fetch(url, { method: "POST", body: new URLSearchParams(form) });
  return (await answer.json()) as Record<string, unknown>;
}
