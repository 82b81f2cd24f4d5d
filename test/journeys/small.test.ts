// @module-tag full
// A machine of one core and one gigabyte without swap, made of a control group: where none can be made, this is skipped.
import { mkdir, mkdtemp, readFile, rmdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import nodemailer from "nodemailer";
import { expect, onTestFinished, test, vi } from "vitest";
import { outboxCode } from "../kit/outbox.ts";
import { freePort } from "../kit/port.ts";
import { shopProcess, type } from "../kit/process.ts";
import { soon } from "../kit/soon.ts";

const gigabyte = String(2 ** 30);
const versions = [
  {
    root: "/sys/fs/cgroup",
    limits: { "memory.max": gigabyte, "memory.swap.max": "0" },
    kills: "memory.events",
  },
  {
    root: "/sys/fs/cgroup/memory",
    limits: { "memory.limit_in_bytes": gigabyte, "memory.memsw.limit_in_bytes": gigabyte },
    kills: "memory.oom_control",
  },
];

/** A control group, by the version that this machine has; undefined without the right to make one. */
async function openGroup() {
  for (const { root, limits, kills } of versions) {
    const folder = join(root, `postern-small-${process.pid}`);
    try {
      await mkdir(folder);
      // A folder that is none of control groups has no such files.
      for (const [file, limit] of Object.entries(limits))
        await writeFile(join(folder, file), limit, { flag: "r+" });
      return { folder, kills: join(folder, kills) };
    } catch {
      await rmdir(folder).catch(() => undefined);
    }
  }
  return undefined;
}

const group = await openGroup();

test.skipIf(group === undefined)(
  "a shop with its database starts on one core and one gigabyte, sells, and takes letters",
  { timeout: 300_000 },
  async () => {
    const { folder, kills } = group!;
    onTestFinished(() => rmdir(folder));
    const dataDir = await mkdtemp(join(tmpdir(), "postern-small-"));
    const place = { port: await freePort(), smtpPort: await freePort(), dataDir };
    const settings = { CAPTCHA: "off", OPEN_ORDERS: "1000" };
    const small = `echo $$ > ${folder}/cgroup.procs && taskset -cp 0 $$ > /dev/null`;
    const shop = shopProcess(place, settings, small);
    onTestFinished(() => shop.remove());
    await shop.start();
    const say = async (path: string, asked: Record<string, string>) =>
      (await (
        await fetch(shop.url + path, { method: "POST", body: new URLSearchParams(asked) })
      ).json()) as Record<string, unknown>;
    const email = "small@example.com";
    const { token } = await say("/user/registration", { email, password: "correct horse", recaptcha: "off" });
    await say("/user/activate", { token: String(token), code: await outboxCode(dataDir, email) });
    await type(place, "src/server/shop.ts", "users", "credit", email, "100", "--reason", "to sell");
    const mailer = nodemailer.createTransport({
      host: "127.0.0.1",
      port: place.smtpPort,
      pool: true,
      ignoreTLS: true,
    });
    onTestFinished(() => mailer.close());
    const text = "A line of an ordinary letter, said again.\r\n".repeat(700);
    const sell = async () => {
      const asked = { token: String(token), site: "instagram.com", domain: "all" };
      const { id, email: to } = await say("/email/order", asked);
      await mailer.sendMail({ to: String(to), from: "no-reply@instagram.com", subject: "Code 482915", text });
      await vi.waitFor(async () => {
        const read = await say("/email/getmessage", { token: String(token), id: String(id) });
        expect(read).toMatchObject({ status: "success", code: "482915" });
      }, soon);
    };
    for (let round = 0; round < 10; round++) await Promise.all(Array.from({ length: 30 }, sell));
    expect(await readFile(kills, "utf8")).toMatch(/^oom_kill 0$/m);
    expect(await (await fetch(`${shop.url}/readyz`)).json()).toMatchObject({ status: "success" });
  },
);
