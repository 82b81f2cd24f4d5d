// @module-tag slow
import { numberOf } from "../kit/numbers.ts";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { startShop, type TestShop } from "../kit/shop.ts";
import { soon } from "../kit/soon.ts";

// An unclaimed letter in the timeline, its release, and the statement.

let shop: TestShop;

beforeAll(async () => {
  shop = await startShop();
});
afterAll(() => shop.stop());

interface Step {
  readonly step: string;
  readonly letter_id?: string;
}

const letter = (to: string, from = "hello@mail.instagram.com") => ({
  to,
  from,
  subject: "Welcome to Instagram",
  html: "<p>Hi, your code is <b>482915</b></p>",
});

const timeline = (token: string, id: string, letters: number) =>
  vi.waitFor(async () => {
    const steps = (await shop.get("/email/timeline", { token, id }))["data"] as Step[];
    if (steps.filter(({ step }) => step === "letter").length < letters) throw new Error("not yet");
    return steps;
  }, soon);

test("a buyer sees why his letter did not come, takes it, and pays once", async () => {
  const [token, stranger] = [await shop.buyer("1"), await shop.buyer("1")];
  const { id, email } = await shop.order(token, { subject: "code" });
  await shop.send(letter(email));
  const before = await timeline(token, id, 1);
  expect(before).toEqual([
    { at: expect.any(Number), step: "ordered", amount: "0.0035" },
    {
      at: expect.any(Number),
      step: "letter",
      letter_id: expect.stringMatching(/^\d+$/),
      sender: "hello@mail.instagram.com",
      subject: "Welcome to Instagram",
      fits: false,
      missed: "subject",
      releasable: true,
    },
  ]);
  expect(await shop.get("/email/getmessage", { token, id })).toMatchObject({ value: "wait message" });
  const missed = String(before[1]?.letter_id);

  // Only the buyer can read it.
  const mine = await shop.order(stranger, { subject: "code" });
  for (const [whose, value] of [
    [id, "no activation"],
    [mine.id, "no letter"],
  ] as const)
    expect(await shop.post("/email/release", { token: stranger, id: whose, letter: missed })).toMatchObject({
      value,
    });
  expect(await shop.get("/email/timeline", { token: stranger, id })).toMatchObject({
    value: "no activation",
  });

  const released = await shop.post("/email/release", { token, id, letter: missed });
  expect(released).toMatchObject({
    status: "success",
    code: "482915",
    sender: "hello@mail.instagram.com",
    subject: "Welcome to Instagram",
    messages: 1,
  });
  expect(released["message"]).toContain("<b>482915</b>");
  expect(await shop.get("/email/getmessage", { token, id })).toEqual(released);
  expect(await shop.get("/email/release", { token, id, letter: missed })).toEqual(released);
  expect((await timeline(token, id, 1)).map(({ step }) => step)).toEqual([
    "ordered",
    "letter",
    "released",
    "charged",
  ]);
  expect(await shop.get("/user/activations", { token })).toMatchObject({
    data: [{ status: 1, code: "482915" }],
  });
  expect(await shop.get("/user/balance", { token })).toMatchObject({ balance: "0.9965" });
});

test("of a letter of another site the buyer learns that one came, and nothing else", async () => {
  const token = await shop.buyer("1");
  const { id, email } = await shop.order(token);
  await shop.send(letter(email, "secret@elsewhere.example"));
  const steps = await timeline(token, id, 1);
  expect(steps[1]).toEqual({ at: expect.any(Number), step: "letter", fits: false, missed: "sender" });
});

test("a program can try all of it at sandbox-wrong-subject, for nothing", async () => {
  const token = await shop.member();
  const { id } = await shop.order(token, { site: "sandbox-wrong-subject", subject: "verify" });
  await shop.db`update task set due_at = clock_timestamp() where queue = 'sandbox' and (payload->>'order')::bigint = ${await numberOf(shop.db, id)}`;
  const [ordered, missed] = await timeline(token, id, 1);
  expect(ordered).toMatchObject({ step: "ordered", amount: "0.0" });
  expect(missed).toMatchObject({ fits: false, missed: "subject", releasable: true });
  const letterId = String(missed?.letter_id);
  expect(await shop.post("/email/release", { token, id, letter: letterId })).toMatchObject({
    status: "success",
  });
  expect((await timeline(token, id, 1)).map(({ step }) => step)).toEqual(["ordered", "letter", "released"]);
});

test("after a cancel nothing is released, and the timeline tells of the refund", async () => {
  const token = await shop.buyer("1");
  const { id, email } = await shop.order(token, { regex: "PIN [0-9]+" });
  await shop.send(letter(email));
  const missed = String((await timeline(token, id, 1))[1]?.letter_id);
  await shop.get("/email/cancel", { token, id });
  expect(await shop.post("/email/release", { token, id, letter: missed })).toMatchObject({
    value: "activation canceled",
  });
  const steps = await timeline(token, id, 1);
  expect(steps.map(({ step }) => step)).toEqual(["ordered", "letter", "canceled", "refunded"]);
  expect(steps[1]).not.toHaveProperty("releasable");
  expect(steps[3]).toMatchObject({ amount: "0.0035" });
});

test("a limited token reads the timeline and releases; the books stay the account's", async () => {
  const token = await shop.buyer("1");
  const { token: limited } = await shop.post("/user/tokens/add", { token, name: "program" });
  const { id, email } = await shop.order(token, { subject: "code" });
  await shop.send(letter(email));
  const missed = String((await timeline(String(limited), id, 1))[1]?.letter_id);
  expect(await shop.post("/email/release", { token: String(limited), id, letter: missed })).toMatchObject({
    status: "success",
  });
  for (const path of ["/user/statement", "/user/statement.csv", "/user/tokens", "/user/information"])
    expect(await shop.get(path, { token: String(limited) })).toMatchObject({ value: "token limit" });
});

test("the statement tells each movement of an account, on the page and in the file alike", async () => {
  const token = await shop.buyer("1");
  const { id } = await shop.order(token);
  await shop.get("/email/cancel", { token, id });
  const { data } = await shop.get("/user/statement", { token });
  expect(data).toMatchObject([
    { kind: "refund", amount: "0.0035", balance: "1.0", activation_id: id },
    { kind: "hold", amount: "-0.0035", balance: "0.9965", activation_id: id },
    { kind: "topup", amount: "1.0", balance: "1.0" },
  ]);
  const file = await fetch(`${shop.url}/user/statement.csv`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const rows = (await file.text())
    .trimEnd()
    .split("\r\n")
    .map((row) => row.split(","));
  expect(rows.map(([, , kind, amount, balance, activation]) => [kind, amount, balance, activation])).toEqual([
    ["kind", "amount", "balance", "activation_id"],
    ["refund", "0.0035", "1.0", id],
    ["hold", "-0.0035", "0.9965", id],
    ["topup", "1.0", "1.0", ""],
  ]);
});
