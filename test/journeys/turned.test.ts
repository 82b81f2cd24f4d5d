// @module-tag slow
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { sayTo } from "../kit/command.ts";
import { startShop, type TestShop } from "../kit/shop.ts";
import { soon } from "../kit/soon.ts";

// A site starts to write from another domain: its letters are unclaimed until the operator adds the sender domain.
// Two processes of the shop run, and the command is a third.

let shop: TestShop;
let second: TestShop;
beforeAll(async () => {
  shop = await startShop();
  second = await startShop({}, shop);
});
afterAll(async () => {
  await second.stop();
  await shop.stop();
});

const say = async (...words: string[]) => (await sayTo(shop.db, words)).out;

const order = (token: string) => shop.order(token, { site: "discord.com" });

const letter = (to: string, from: string) => ({
  to,
  from,
  subject: "482913 is your code",
  text: "Your code is 482913.",
});

test("one word of the operator delivers what waited, to those who still wait, and what comes from then on", async () => {
  const token = await shop.buyer("5");
  const [first, late, canceled] = [await order(token), await order(token), await order(token)];
  for (const { email } of [first, canceled])
    await shop.send(letter(email, "no-reply@mail.discord-letters.example"));
  await vi.waitFor(async () => {
    expect(await say("letters", "turned-away", "--site", "discord")).toMatch(
      /^ +2 +discord-letters\.example +discord\.com .*###### is your code$/m,
    );
  }, soon);
  expect(await shop.get("/email/cancel", { token, id: canceled.id })).toMatchObject({ status: "success" });

  const waits = second.get("/email/getmessage", { token, id: first.id, wait: 30 });
  const said = await say("sites", "alias", "discord", "discord-letters.example", "--json");
  expect(JSON.parse(said)).toMatchObject({
    site: "discord.com",
    senders: ["discord-letters.example"],
    shared: [],
    delivered: 1,
    tooLate: 1,
    unfit: 0,
  });
  expect(await waits).toMatchObject({ status: "success", code: "482913" });

  await second.send(letter(late.email, "no-reply@discord-letters.example"));
  expect(await shop.get("/email/getmessage", { token, id: late.id, wait: 30 })).toMatchObject({
    code: "482913",
  });
  expect(await say("letters", "turned-away")).toBe("No letter was unclaimed in the last 24 hours.\n");
  expect(await say("sites", "alias", "discord", "discord-letters.example")).toBe(
    "Letters from discord-letters.example count for discord.com. Of those that waited 0 were delivered, 0 came too late, 0 did not fit their orders.\n" +
      "To undo it: sites unalias discord.com discord-letters.example\n",
  );
  expect(await say("audit")).not.toContain("NO");
});
