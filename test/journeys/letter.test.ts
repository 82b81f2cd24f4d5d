// @module-tag slow
import { numberOf } from "../kit/numbers.ts";
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startShop, type Answer, type TestShop } from "../kit/shop.ts";

// A letter in the API: its fields, its document's headers, and what remains after deletion.

let shop: TestShop;
beforeAll(async () => void (shop = await startShop()));
afterAll(() => shop.stop());

const picture = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const html = `<p>Code <b>482913</b></p><img src="https://pictures.example.com/hero.png" width="90">`;

type Sent = Parameters<TestShop["send"]>[0];

async function received({ letters = 1, ...letter }: { letters?: number } & Partial<Sent> = {}) {
  const token = await shop.buyer("1");
  const { id, email } = await shop.get("/email/order", { token, site: "instagram.com", domain: "all" });
  const ask = { token, id: String(id) };
  for (let n = 1; n <= letters; n++) {
    const from = "no-reply@mail.instagram.com";
    await shop.send({ to: String(email), from, subject: `Letter ${n}`, html, ...letter });
    await until(ask, n);
  }
  return ask;
}

async function until(ask: Record<string, string>, messages: number): Promise<void> {
  const found = await shop.get("/email/getmessage", { ...ask, wait: "30" });
  if (found["messages"] !== messages) await until(ask, messages);
}

const historyOf = async ({ token }: { token: string }) => {
  const history = await shop.get("/email/history", { token });
  return Object.values(history["data"] as Record<string, Answer[]>).flat();
};

test("the files of a letter are told of wherever the letter is", async () => {
  const ask = await received({
    attachments: [
      { filename: "terms.pdf", content: Buffer.alloc(48_210, 7), contentType: "application/pdf" },
      { filename: "صورة.png", content: Buffer.from("x"), contentType: "image/png" },
    ],
  });
  const attachments = [
    { name: "terms.pdf", type: "application/pdf", size: 48_210 },
    { name: "صورة.png", type: "image/png", size: 1 },
  ];
  expect(await shop.get("/email/getmessage", ask)).toMatchObject({ attachments });
  expect(await historyOf(ask)).toMatchObject([{ letters: [{ attachments }] }]);
  expect(await shop.get("/user/activations", { token: ask.token })).toMatchObject({
    data: [{ attachments }],
  });
});

test("an activation without a letter has no files", async () => {
  const token = await shop.buyer("1");
  await shop.get("/email/order", { token, site: "instagram.com", domain: "all" });
  expect(await shop.get("/user/activations", { token })).toMatchObject({
    data: [{ message: "", attachments: [] }],
  });
});

test("pictures that are not in the letter are counted, and there only when they are asked for", async () => {
  const ask = await received();
  const guarded = await shop.get("/email/getmessage", ask);
  expect(guarded).toMatchObject({ remote_images: 1 });
  expect(guarded["message"]).not.toContain("pictures.example");
  expect((await shop.get("/email/getmessage", { ...ask, images: "1" }))["message"]).toContain(
    "https://pictures.example.com/hero.png",
  );
});

test("a letter's own pictures come when it is read, not with every list", async () => {
  const ask = await received({
    html: `<p>482913</p><img src="cid:logo@x">`,
    attachments: [{ cid: "logo@x", filename: "logo.png", content: picture, contentType: "image/png" }],
  });
  const own = `<img src="data:image/png;base64,${picture.toString("base64")}" />`;
  expect(await shop.get("/email/getmessage", ask)).toMatchObject({ remote_images: 0 });
  expect((await shop.get("/email/getmessage", ask))["message"]).toContain(own);
  expect(JSON.stringify(await historyOf(ask))).not.toContain("base64");
  expect(JSON.stringify(await shop.get("/user/activations", { token: ask.token }))).not.toContain("base64");
});

test("each letter of an activation can be read by its id, and those of others cannot", async () => {
  const ask = await received({ letters: 2 });
  const [order] = (await historyOf(ask)) as unknown as {
    letters: { letter_id: string; subject: string }[];
  }[];
  const [newest, first] = order?.letters ?? [];
  expect(await shop.get("/email/getmessage", ask)).toMatchObject({
    letter_id: newest?.letter_id,
    subject: "Letter 2",
  });
  expect(await shop.get("/email/getmessage", { ...ask, letter: first?.letter_id ?? "" })).toMatchObject({
    letter_id: first?.letter_id,
    subject: "Letter 1",
    messages: 2,
  });
  const other = await received();
  expect(await shop.get("/email/getmessage", { ...other, letter: first?.letter_id ?? "" })).toMatchObject({
    status: "error",
    value: "no letter",
  });
});

test("all letters of an activation are counted and can be read, also beyond those that the history shows", async () => {
  const ask = await received({ letters: 51 });
  const { data } = await shop.get("/email/timeline", ask);
  const steps = data as { step: string; letter_id: string; subject: string }[];
  const [oldest] = steps.filter(({ step }) => step === "letter");
  const letter = oldest?.letter_id ?? "";
  expect(await shop.get("/email/getmessage", { ...ask, letter })).toMatchObject({
    letter_id: letter,
    subject: "Letter 1",
    messages: 51,
  });
  expect(await shop.get("/email/getmessage", { ...ask, letter: "1" })).toMatchObject({ value: "no letter" });
  const source = new URLSearchParams({ ...ask, letter });
  expect(await (await fetch(`${shop.url}/email/lettersource?${source}`)).text()).toContain("Letter 1");
  expect(await historyOf(ask)).toMatchObject([{ letters: { length: 50 } }]);
});

test("the document of a letter is kept in a sandbox, framed by nobody else, remembered and told of to nobody", async () => {
  const ask = await received();
  const read = async (more: Record<string, string>) => {
    const body = new URLSearchParams({ ...ask, preview: "1", ...more });
    const response = await fetch(`${shop.url}/email/getmessage`, { method: "POST", body });
    return { document: await response.text(), headers: Object.fromEntries(response.headers) };
  };
  const { document, headers } = await read({});
  expect(document).toMatch(/^<!DOCTYPE html>/);
  expect(document).not.toContain("pictures.example");
  expect(headers).toMatchObject({
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "SAMEORIGIN",
    "x-dns-prefetch-control": "off",
  });
  const policy = headers["content-security-policy"]?.split("; ") ?? [];
  expect(policy).toEqual([
    "sandbox allow-popups allow-popups-to-escape-sandbox",
    "frame-ancestors 'self'",
    "default-src 'none'",
    "img-src data:",
    "style-src 'unsafe-inline'",
    "form-action 'none'",
    "base-uri 'none'",
  ]);
  const withPictures = await read({ images: "1" });
  expect(withPictures.document).toContain("https://pictures.example.com/hero.png");
  expect(withPictures.headers["content-security-policy"]).toContain("; img-src data: https:;");
});

test("a letter is had as it came, to be saved and never shown, and by its buyer alone", async () => {
  const content = randomBytes(700_000);
  const ask = await received({
    attachments: [{ filename: "noise.bin", content, contentType: "application/octet-stream" }],
  });
  const read = (asked: Record<string, string>) =>
    fetch(`${shop.url}/email/lettersource`, { method: "POST", body: new URLSearchParams(asked) });
  const response = await read(ask);
  const { letter_id: letter } = await shop.get("/email/getmessage", ask);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    "content-type": "text/plain",
    "content-disposition": `attachment; filename="letter-${String(letter)}.eml"`,
    "content-security-policy": "default-src 'none'; sandbox",
    "x-content-type-options": "nosniff",
    "cache-control": "no-store",
  });
  const source = await response.text();
  expect(source).toMatch(/^[^]*Subject: Letter 1\r\n[^]*<b>482913<\/b>/);
  expect(source.replaceAll("\r\n", "")).toContain(content.toString("base64"));

  const other = await received();
  const refusals = [
    [{ ...ask, token: other.token }, "no activation"],
    [{ ...other, letter: String(letter) }, "no letter"],
  ] as const;
  for (const [asked, value] of refusals)
    expect(await (await read(asked)).json()).toMatchObject({ status: "error", value });
  await shop.db`delete from letter_raw where letter_id = ${await numberOf(shop.db, letter)}`;
  expect(await (await read(ask)).json()).toMatchObject({ status: "error", value: "no letter" });
});

test("of a letter that is no longer kept everything stays but itself", async () => {
  const ask = await received();
  await shop.db`delete from letter_body
                where letter_id in (select letter_id from delivery where order_id = ${await numberOf(shop.db, ask.id)})`;
  const about = { sender: "no-reply@mail.instagram.com", subject: "Letter 1", attachments: [] };
  const read = await shop.get("/email/getmessage", ask);
  expect(read).toMatchObject({ ...about, message: "", remote_images: 0, messages: 1 });
  expect(read).not.toHaveProperty("code");
  expect(await historyOf(ask)).toMatchObject([{ status: "ok", messages: [""], letters: [about] }]);
  expect(await shop.get("/user/activations", { token: ask.token })).toMatchObject({
    data: [{ status: 1, message: "" }],
  });
  const document = await fetch(
    `${shop.url}/email/getmessage?${new URLSearchParams({ ...ask, preview: "1" })}`,
  );
  expect(await document.text()).toMatch(/^<!DOCTYPE html>[^]*no longer stored/);
});
