import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { createLog } from "../platform/log.ts";
import { openPasswords } from "./users.passwords.ts";

async function service(answer: (prefix: string) => string | undefined) {
  const asked: string[] = [];
  const server = createServer(({ url = "", headers }, response) => {
    asked.push(`${url} ${String(headers["add-padding"])}`);
    const text = answer(url.slice(1));
    response.writeHead(text === undefined ? 500 : 200).end(text);
  });
  await new Promise<void>((up) => server.listen(0, "127.0.0.1", up));
  onTestFinished(() => new Promise<void>((down) => void server.close(() => down())));
  return { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const digest = (password: string) => createHash("sha1").update(password).digest("hex").toUpperCase();

test("a service of leaked passwords is told five letters of a hash and no more, and not asked without the setting", async () => {
  const hash = digest("correct horse");
  const { asked, url } = await service(
    () => `${"0".repeat(35)}:7\r\n${hash.slice(5)}:12\r\n${digest("x").slice(5)}:0`,
  );
  const log = createLog("silent");
  const passwords = openPasswords({ names: async () => [], checkUrl: url, log });
  expect(await passwords.isLeaked("correct horse")).toBe(true);
  expect(await passwords.isLeaked("battery staple")).toBe(false);
  // Padding has a count of zero.
  expect(await passwords.isLeaked("x")).toBe(false);
  expect(asked[0]).toBe(`/${hash.slice(0, 5)} true`);
  expect(asked.join(" ").length).toBe(3 * "/00000 true".length + 2);
  expect(await openPasswords({ names: async () => [], log }).isLeaked("correct horse")).toBe(false);
});

test("while the service fails passwords pass, and the log says so once, without them", async () => {
  const { url } = await service(() => undefined);
  const lines: string[] = [];
  const log = createLog("info", { write: (line) => void lines.push(line) });
  const passwords = openPasswords({ names: async () => [], checkUrl: url, log });
  for (let n = 0; n < 3; n++) expect(await passwords.isLeaked("correct horse")).toBe(false);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain("PASSWORD_CHECK_URL");
  expect(lines[0]).not.toContain(digest("correct horse").slice(0, 5));
});

test("honest passwords are not of the list", async () => {
  const { isCommon } = openPasswords({ names: async () => ["shop.example"], log: createLog("silent") });
  for (const password of ["correct horse", "k7#mQz", "tulip-harbor-91", "zwetschgenmus", "shop till I drop"])
    expect(await isCommon(password, "ann@example.com")).toBe(false);
});
