// @module-tag slow
import { expect, test } from "vitest";
import { botStage, timeThatPasses } from "../kit/bot.ts";
import { startShop } from "../kit/shop.ts";
import { soon } from "../kit/soon.ts";
import { no, type Person } from "../kit/telegram.ts";

const stage = botStage();
const { linked, somebody } = stage;

const order = async (token: string): Promise<string> =>
  (await stage.shop.order(token, { site: "example.com", domain: "all" })).email;

const send = (to: string, code: string) =>
  stage.shop.send({
    to,
    from: "no-reply@example.com",
    subject: "Hello <b>",
    text: `Your verification code is ${code}`,
  });

const rowsOf = ({ id }: Person) =>
  stage.shop.db<{ sent: boolean; failure: string | null; due: boolean }[]>`
    select done_at is not null as sent, failure, due_at is not null as due
    from task where queue = 'bot' and key = ${String(id)} order by id`;

async function settled(ann: Person, count: number): Promise<void> {
  const done = async () =>
    (await rowsOf(ann)).filter(({ sent, failure, due }) => (sent || failure) && !due).length;
  await expect.poll(done, { timeout: 30_000 }).toBe(count);
}

const letters = (ann: Person) =>
  stage.telegram.written.filter(({ chatId, text }) => chatId === ann.id && text.startsWith("✉️"));

test("a letter comes as a message, with its code to be copied by a tap, and its address can be ordered again", async () => {
  const { ann, token } = await linked();
  const email = await order(token);
  await send(email, "482910");
  const message = await ann.hear(/^✉️/);
  expect(message.text).toContain(`<code>${email}</code>`);
  expect(message.text).toContain("<code>482910</code>");
  expect(message.text).toContain("Hello &lt;b&gt;");
  ann.press(message, "Order again");
  expect((await ann.hear(/📮/)).text).toContain(email);
  await send(email, "771203");
  expect((await ann.hear(/^✉️/)).text).toContain("771203");
  await settled(ann, 2);
});

test("a chat is told that the balance is low", async () => {
  const { ann, token } = await linked("ru", "1");
  await stage.shop.post("/user/lowbalance/set", { token, threshold: "1.099" });
  await order(token);
  const message = await ann.hear(/^💰/);
  expect(message.text).toContain("<b>\u20681,09650\u00a0$\u2069</b>");
  expect(message.text).toContain("\u20681,09900\u00a0$\u2069");
  await settled(ann, 1);
});

test("a chat is told what became of an order that waited for stock, and can cancel it", async () => {
  const { ann, token } = await linked("en", "1");
  const wish = { token, domain: "all", max_price: "1" };
  await stage.shop.post("/email/backorders/add", { ...wish, site: "sandbox-never" });
  const message = await ann.hear(/waiting order is placed/);
  expect(message.text).toMatch(/<code>[^<]+@[^<]+<\/code>\nsandbox-never/);
  ann.press(message, "Cancel");
  await ann.hear(/^Canceled/);
  const other = await linked("es", "1");
  const cheap = { token: other.token, domain: "all", site: "instagram.com", max_price: "0.0001" };
  await stage.shop.post("/email/backorders/add", cheap);
  expect((await other.ann.hear(/sigue en espera/)).text).toContain("a un precio mayor");
});

test("an event of a newer release is no letter, though older programs take it for one", async () => {
  const { ann, token } = await linked();
  await stage.shop.db`
    insert into event (user_id, kind, name, order_id, letter_id)
    select user_id, 'letter', 'gift', 1, 1 from bot_chat where chat_id = ${ann.id}`;
  await send(await order(token), "482911");
  await ann.hear(/^✉️/);
  await settled(ann, 1);
  expect(await rowsOf(ann)).toHaveLength(1);
});

test(
  "what came before the chat was linked, and after it was unlinked, is not told",
  { tags: ["full"] },
  async () => {
    const token = await stage.shop.buyer();
    await send(await order(token), "111222");
    await expect
      .poll(async () => (await stage.shop.get("/user/activations", { token }))["data"])
      .toMatchObject([{ status: 1 }]);
    const ann = somebody();
    ann.say(`/start auth_${token}`);
    await ann.hear();
    await send(await order(token), "333444");
    expect((await ann.hear(/^✉️/)).text).toContain("333444");
    ann.say("/unlink");
    ann.press(await ann.hear(/Unlink/), "Yes, unlink");
    await ann.hear(/is unlinked/);
    const late = await order(token);
    await send(late, "555666");
    await expect
      .poll(async () => (await stage.shop.get("/user/activations", { token }))["data"])
      .toMatchObject([{ email: late, status: 1 }, {}, {}]);
    ann.say(`/start auth_${token}`);
    await ann.hear();
    await send(await order(token), "777888");
    expect((await ann.hear(/^✉️/)).text).toContain("777888");
    expect(letters(ann)).toHaveLength(2);
  },
);

test(
  "who has blocked the bot is not tried again, and is told of new letters when he comes back",
  { tags: ["full"] },
  async () => {
    const { ann, token } = await linked();
    // Telegram may refuse messages before it reports the block.
    stage.telegram.answer = (method, { chat_id: chat }) =>
      method === "sendMessage" && chat === ann.id
        ? no(403, "Forbidden: bot was blocked by the user")
        : undefined;
    const email = await order(token);
    await send(email, "121212");
    await settled(ann, 1);
    const tries = () => stage.telegram.calls.filter(({ payload }) => payload["chat_id"] === ann.id).length;
    const before = tries();
    await send(email, "343434");
    const { ann: bob, token: other } = await linked();
    await send(await order(other), "565656");
    await bob.hear(/565656/);
    expect(tries()).toBe(before);
    stage.telegram.answer = () => undefined;
    ann.block(false);
    await expect
      .poll(
        async () => stage.shop.db`select 1 from bot_chat where chat_id = ${ann.id} and blocked_at is null`,
      )
      .toHaveLength(1);
    await send(await order(token), "787878");
    expect((await ann.hear(/^✉️/)).text).toContain("787878");
    expect(letters(ann)).toHaveLength(1);
  },
);

test("when Telegram asks for rest, or is broken, the letter is told later", { tags: ["full"] }, async () => {
  const { ann, token } = await linked();
  const email = await order(token);
  const failures = [no(429, "Too Many Requests: retry after 6", 6), no(502, "Bad Gateway")];
  let asked = 0;
  stage.telegram.answer = (method, { chat_id: chat }) => {
    if (method !== "sendMessage" || chat !== ann.id) return undefined;
    asked++;
    return failures.shift();
  };
  const retried = async () => {
    const metrics = await (await fetch(`${stage.shop.url}/metrics`)).text();
    return /^postern_queue\{queue="bot",state="retried"\} (\d+)$/m.exec(metrics)?.[1];
  };
  /** The pause after so many tries, in seconds; then skips it. */
  const rests = async (tries: number) => {
    await expect.poll(() => asked, soon).toBe(tries);
    await expect.poll(retried, soon).toBe("1");
    const [{ seconds } = { seconds: 0 }] = await stage.shop.db<{ seconds: number }[]>`
      select extract(epoch from due_at - now())::float8 as seconds from task where queue = 'bot' and key = ${String(ann.id)}`;
    await stage.shop.db`update task set due_at = now() where queue = 'bot' and key = ${String(ann.id)}`;
    return seconds;
  };
  await send(email, "909090");
  expect(await rests(1)).toBeCloseTo(6, -1);
  expect(await rests(2)).toBeCloseTo(9, -1);
  expect((await ann.hear(/^✉️/)).text).toContain("909090");
  expect(asked).toBe(3);
  await settled(ann, 1);
  expect(await retried()).toBe("0");
  expect(letters(ann)).toHaveLength(1);
});

test("a message that Telegram does not answer holds up no other chat's letters", async () => {
  const [{ ann, token }, { ann: bob, token: other }] = [await linked(), await linked()];
  const asked = Promise.withResolvers<void>();
  stage.telegram.answer = (method, { chat_id: chat }) => {
    if (method !== "sendMessage" || chat !== ann.id) return undefined;
    asked.resolve();
    return "say nothing";
  };
  await send(await order(token), "313131");
  await asked.promise;
  await send(await order(other), "424242");
  expect((await bob.hear(/^✉️/)).text).toContain("424242");
});

test("a letter that may have been told, though nobody could say so, is not told again: the chat is told where it is", async () => {
  const { ann, token } = await linked();
  const email = await order(token);
  let asked = 0;
  stage.telegram.answer = (method, { chat_id: chat }) =>
    method === "sendMessage" && chat === ann.id && asked++ === 0 ? "do it and hang up" : undefined;
  await send(email, "606060");
  expect((await ann.hear(/^✉️/)).text).toContain("606060");
  await expect.poll(async () => (await rowsOf(ann))[0]?.failure, soon).toContain("no answer");
  // Skips the pause.
  await stage.shop
    .db`update task set due_at = now() where queue = 'bot' and key = ${String(ann.id)} and due_at is not null`;
  const note = await ann.hear(/has arrived/);
  expect(note.text).toContain(email);
  expect(note.text).not.toContain("606060");
  expect(note.buttons).toContainEqual({ text: "Read it on the page", url: expect.any(String) });
  await settled(ann, 1);
  await send(email, "707070");
  expect((await ann.hear(/^✉️/)).text).toContain("707070");
  expect(letters(ann)).toHaveLength(2);
});

test("a letter that a process of the release before queued is told once, and one that it had begun is left to it", async () => {
  const { ann, token } = await linked();
  await send(await order(token), "818181");
  await ann.hear(/818181/);
  await settled(ann, 1);
  await stage.shop.db`
    with told as (delete from task where queue = 'bot' and key = ${String(ann.id)} returning *)
    insert into bot_letter (chat_id, letter_id, user_id, order_id, created_at, due_at)
    select ${ann.id}, (select max(letter_id) from event where user_id = told.user_id) + extra, user_id, order_id, now(), due
    from told, (select max(order_id) as order_id from event) o, (values (0, now()), (1, null)) queued (extra, due)`;
  await ann.hear(/818181/);
  await settled(ann, 1);
  expect(letters(ann)).toHaveLength(2);
});

test("two processes with a bot tell a letter once, and answer once", async () => {
  const second = await startShop({ ...stage.telegram.settings, ROLES: "bot,web" }, stage.shop, {
    bot: timeThatPasses(),
  });
  const { ann, token } = await linked();
  const emails = [];
  for (let turn = 0; turn < 3; turn++) emails.push(await order(token));
  await Promise.all(emails.map((email, at) => send(email, `10203${at}`)));
  for (const _ of emails) await ann.hear(/^✉️/);
  await settled(ann, 3);
  expect(letters(ann)).toHaveLength(3);
  ann.say("/balance");
  await ann.hear(/Balance/);
  await second.stop();
  expect(
    stage.telegram.written.filter(({ chatId, text }) => chatId === ann.id && text.startsWith("Balance")),
  ).toHaveLength(1);
});
