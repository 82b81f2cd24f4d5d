import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { settingsFiles } from "../scripts/settings.ts";
import { pageSettings, readConfig, settings } from "../src/server/platform/config/config.ts";

const all = [...settings.values()].flat();

test.each([...settingsFiles()])("%s has the settings as their table has them", (path, text) => {
  const written = readFileSync(new URL(`../${path}`, import.meta.url), "utf8");
  expect(written, "run `npm run settings`").toBe(text);
});

test("each setting has a name of its own and one sentence, and the documents tell it", () => {
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
  expect(all.filter(({ says }) => !/^[^.].*[^.]\.$/.test(says)).map(({ name }) => name)).toEqual([]);
  for (const [path, text] of settingsFiles())
    expect(
      all.filter(({ name }) => !text.includes(name)),
      path,
    ).toEqual([]);
});

test("what a secret setting holds is in no message", () => {
  const wrong = "mysql://shop:hunter2@db hunter2";
  const messages = all.flatMap(({ name, secret, field }) => {
    const said = field.safeParse(wrong).error?.message;
    return secret && said !== undefined ? [`${name} ${said}`] : [];
  });
  expect(messages.length).toBeGreaterThan(10);
  expect(messages.filter((message) => message.includes("hunter2"))).toEqual([]);
});

test("pages read what is marked for them in the table, and nothing else", () => {
  const captcha = { CAPTCHA: "turnstile", CAPTCHA_SITE_KEY: "shown", CAPTCHA_SECRET: "not-shown" };
  const config = readConfig({
    ...captcha,
    SUPPORT_URL: "https://t.me/support",
    METRICS_TOKEN: "t".repeat(16),
  });
  expect(pageSettings(config)).toEqual({
    publicUrl: "http://localhost:3000",
    demo: true,
    supportUrl: "https://t.me/support",
    captcha: { kind: "turnstile", siteKey: "shown" },
    withdrawals: "off",
  });
});
