// @module-tag slow
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { now, secondsAfter, unixSeconds } from "../../src/server/platform/clock.ts";
import { listenTo } from "../kit/listener.ts";
import { startShop, type TestShop } from "../kit/shop.ts";

// Limits of a limited token.

let shop: TestShop;

beforeAll(async () => {
  shop = await startShop();
});
afterAll(() => shop.stop());

const price = "0.0035";
const over = { status: "error", value: "token limit" };

async function limitedTo(account: string, limits: Record<string, string>): Promise<string> {
  const made = await shop.post("/user/tokens/add", { token: account, name: "program", ...limits });
  expect(made).toMatchObject({ status: "success" });
  return String(made["token"]);
}

const order = (token: string, more: Record<string, string> = {}) =>
  shop.get("/email/order", { token, site: "instagram.com", domain: "letters.test", ...more });

const spentToday = async (token: string) =>
  ((await shop.get("/user/tokens", { token }))["data"] as { spent_today: string }[])[0]?.spent_today;

test("a token for some sites orders for these and for no other", async () => {
  const account = await shop.buyer("1");
  const limited = await limitedTo(account, { sites: "instagram, x.com" });
  for (const site of ["instagram.com", "Twitter"])
    expect(await order(limited, { site })).toMatchObject({ status: "success" });
  for (const site of ["facebook.com", "any", "nobody-asked-before.com"])
    expect(await order(limited, { site })).toMatchObject({ ...over, exceeded: "sites" });
  expect(await order(account, { site: "facebook.com" })).toMatchObject({ status: "success" });
  expect(await shop.get("/user/balance", { token: limited })).toMatchObject({ balance: "0.9895" });
});

test("a token for some sites cancels, reorders and reads letters of these alone", async () => {
  const account = await shop.buyer("1");
  const other = await shop.order(account, { site: "facebook.com", note: "for Bela" });
  const mine = await shop.order(account, { note: "for Nora" });
  const limited = await limitedTo(account, { sites: "instagram" });
  const streams = [
    await listenTo(shop.url, { token: limited }),
    await listenTo(shop.url, { token: account }),
  ];
  for (const stream of streams) onTestFinished(() => stream.close());
  for (const [{ email }, from] of [
    [other, "no-reply@facebook.com"] as const,
    [mine, "no-reply@instagram.com"] as const,
  ])
    await shop.send({ to: email, from, subject: "Hello", text: "Your code is 123456" });
  await streams[1]!.hear("letter", 2);
  expect((await streams[0]!.hear("letter")).data).toMatchObject({ activation_id: mine.id });
  const { id } = other;
  const waits = await shop.get("/email/reorder", { token: account, id });
  const pending = String(waits["id"]);
  for (const [path, asked] of [
    ["/email/getmessage", { id }],
    ["/email/getmessage", { id, wait: "1" }],
    ["/email/getmessage", { id: pending }],
    ["/email/timeline", { id }],
    ["/email/release", { id, letter: "1" }],
    ["/email/reorder", { id }],
    ["/email/reorder", { email: other.email, site: "facebook.com" }],
    ["/email/cancel", { id }],
    ["/email/cancel", { id: pending }],
    ["/email/note", { id, note: "mine" }],
  ] as const)
    expect(await shop.get(path, { token: limited, ...asked })).toMatchObject({ ...over, exceeded: "sites" });
  for (const token of [limited, account])
    expect(await shop.get("/email/getmessage", { token, id: mine.id })).toMatchObject({ code: "123456" });
  const { data: listed } = await shop.get<{
    data: { activation_id: string; message: string; code?: string }[];
  }>("/user/activations", { token: limited });
  const shown = new Map(listed.map((each) => [each.activation_id, each]));
  expect(shown.get(id)).toMatchObject({ message: "", attachments: [] });
  expect(shown.get(id)).not.toHaveProperty("code");
  expect(shown.get(id)).not.toHaveProperty("note");
  expect(shown.get(mine.id)).toMatchObject({ code: "123456", note: "for Nora" });
  const { data: days } = await shop.get<{ data: Record<string, { id: string; letters: unknown[] }[]> }>(
    "/email/history",
    { token: limited },
  );
  const counts = Object.values(days)
    .flat()
    .map((each) => [each.id, each.letters.length]);
  expect(Object.fromEntries(counts)).toEqual({ [mine.id]: 1, [id]: 0, [pending]: 0 });
  expect(streams[0]!.heard.filter(({ name }) => name === "letter")).toHaveLength(1);
  const notesHeard = (place: number) =>
    streams[place]!.heard.flatMap(({ name, data }) =>
      name === "activation" && "note" in data ? [data["note"]] : [],
    );
  await streams[0]!.hear("activation", 3);
  expect([notesHeard(0), notesHeard(1)]).toEqual([
    ["for Nora"],
    expect.arrayContaining(["for Bela", "for Nora"]),
  ]);
  expect(await shop.get("/email/cancel", { token: limited, id: mine.id })).toMatchObject({
    status: "success",
  });
});

test("a token buys nothing above its highest price", async () => {
  const account = await shop.buyer("1");
  expect(await order(await limitedTo(account, { price_max: "0.00349999" }))).toMatchObject({
    ...over,
    exceeded: "price_max",
  });
  expect(await order(await limitedTo(account, { price_max: price }))).toMatchObject({ status: "success" });
});

test("a token spends its budget of a day and no more, however many ask at once; a refund gives it back", async () => {
  const account = await shop.buyer("1");
  const limited = await limitedTo(account, { budget_day: "0.0105" });
  const answers = await Promise.all(Array.from({ length: 8 }, () => order(limited)));
  const placed = answers.filter(({ status }) => status === "success");
  expect(placed).toHaveLength(3);
  expect(answers.filter(({ value }) => value === "token limit")).toHaveLength(5);
  expect(await spentToday(account)).toBe("0.0105");
  await shop.get("/email/cancel", { token: limited, id: String(placed[0]?.["id"]) });
  expect(await spentToday(account)).toBe("0.007");
  expect(await order(limited)).toMatchObject({ status: "success" });
  expect(await order(limited)).toMatchObject({ ...over, exceeded: "budget_day" });
  expect(await shop.get("/user/information", { token: limited })).toMatchObject({
    ...over,
    exceeded: "calls",
  });
  expect(await order(account)).toMatchObject({ status: "success" });
  expect(await spentToday(account)).toBe("0.0105");
});

test("a revoked token neither orders nor reads from that moment on", async () => {
  const account = await shop.buyer("1");
  const limited = await limitedTo(account, {});
  const { id } = await order(limited);
  const [made] = (await shop.get("/user/tokens", { token: account }))["data"] as { id: string }[];
  await shop.post("/user/tokens/remove", { token: account, id: String(made?.id) });
  for (const answer of [
    await order(limited),
    await shop.get("/email/getmessage", { token: limited, id: String(id) }),
  ])
    expect(answer).toMatchObject({ status: "error", value: "token" });
  expect(await shop.get("/email/getmessage", { token: account, id: String(id) })).toMatchObject({
    value: "wait message",
  });
});

test("a stream hears nothing more once its token is over", async () => {
  const account = await shop.buyer("1");
  const limited = await limitedTo(account, { expires_at: String(unixSeconds(now()) + 600) });
  const [ends, stays] = [
    await listenTo(shop.url, { token: limited }),
    await listenTo(shop.url, { token: account }),
  ];
  onTestFinished(() => stays.close());
  vi.useFakeTimers({ toFake: ["Date"], now: secondsAfter(now(), 601) });
  onTestFinished(() => void vi.useRealTimers());
  await order(account);
  await stays.hear("balance");
  await ends.ended();
  expect(ends.heard.map(({ name }) => name)).toEqual(["ready"]);
});
