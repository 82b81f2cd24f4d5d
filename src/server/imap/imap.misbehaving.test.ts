// @module-tag slow
// A server announces what was not asked, answers late, empty, twice or nothing, lags, puts off, hangs up and starts anew, at any
// command. Whatever it did: once it is well again, each letter since the order is there, once, and no mailbox has died.
import fc from "fast-check";
import { afterAll, afterEach, expect, test } from "vitest";
import { createDatabase } from "../../../test/kit/database.ts";
import { closeHouses, codeLetter, type Fetching, type House, openHouse } from "../../../test/kit/hosted.ts";
import { type Command, type Imapd, openImapd, type Twist } from "../../../test/kit/imapd.ts";
import { now, secondsAfter } from "../platform/clock.ts";
import type { Times } from "./imap.ts";

const { db } = await createDatabase({ max: 20 });
const servers: Imapd[] = [];
afterEach(closeHouses);
afterAll(async () => {
  for (const server of servers) await server.close();
});

/** The usual times, a few hundred times as fast. */
const hasty: Partial<Times> = {
  pollMs: 25,
  junkMs: 50,
  againMs: 80,
  silenceMs: 400,
  fetchMs: 400,
  lookMs: 20,
  checkAgainMs: 5,
  staySeconds: 0,
  refusedSeconds: [0.02],
  restSeconds: { first: 0.01, max: 0.04 },
};

const commands: readonly Command[] = [
  "greeting",
  "login",
  "list",
  "examine",
  "status",
  "heads",
  "body",
  "idle",
  "noop",
];

const strays = [
  "* 99 FETCH (UID 4711 FLAGS (\\Seen))",
  "* 1 FETCH (FLAGS ())",
  "* 0 RECENT",
  "* OK still here",
  "* 1 EXPUNGE",
  "* 77 EXISTS",
];
const refusals = [
  "NO [THROTTLED] Rate limit hit.",
  "NO [AUTHENTICATIONFAILED] Authentication failed.",
  "NO Server Unavailable. 15",
  "NO it cannot be done",
  "BAD what do you mean",
  "BYE shutting down",
];

const twist: fc.Arbitrary<Twist> = fc.oneof(
  fc.record({ before: fc.subarray(strays, { minLength: 1 }) }),
  fc.record({ says: fc.constantFrom(...refusals) }),
  fc.record({ body: fc.constantFrom("none", "NIL", "{0}", '""', "split", "without UID") }),
  fc.record({ lag: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ lateMs: fc.constantFrom(1, 10, 40) }),
  fc.constantFrom<Twist[]>({ isDropped: true }, { isCut: true }, { isTwice: true }, { isRespelt: true }),
);
/** Rare, as each costs the patience of a connection. */
const silence: fc.Arbitrary<Twist> = fc.constant({ isSilent: true });

const rule = fc.record({
  command: fc.constantFrom(...commands),
  twist: fc.oneof({ weight: 40, arbitrary: twist }, { weight: 1, arbitrary: silence }),
  /** How many times it is asked before it misbehaves, and how many times it does so then. */
  after: fc.nat({ max: 4 }),
  times: fc.constantFrom(1, 2, 3, 8),
});

const folders = ["INBOX", "Junk", "Bulk"] as const;
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ put: fc.constantFrom("INBOX", ...folders) }) },
  { weight: 2, arbitrary: fc.record({ pauseMs: fc.constantFrom(1, 20, 70) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constantFrom("hangs up", "renumbers", "tells nothing", "expunges", "moves"),
    }),
  },
);

const history = fc.record({
  /** Letters from before the order, by their age in seconds. */
  old: fc.array(fc.integer({ min: 5, max: 100_000 }), { maxLength: 4 }),
  gap: fc.constantFrom(1, 2, 60),
  hasValidity: fc.constantFrom(true, true, true, false),
  canIdle: fc.boolean(),
  isEarly: fc.boolean(),
  rules: fc.array(rule, { maxLength: 6 }),
  steps: fc.array(step, { minLength: 1, maxLength: 7 }),
});
type History = typeof history extends fc.Arbitrary<infer Value> ? Value : never;

/** A host of its own, with a mailbox for each history. */
interface Place {
  readonly server: Imapd;
  readonly house: House;
}

async function openPlace(mailboxes: number): Promise<Place> {
  const server = await openImapd();
  servers.push(server);
  server.folders = ['() "/" INBOX', '(\\Junk) "/" Junk', '() "/" Bulk'];
  return { server, house: await openHouse(db, server, { tls: "none", mailboxes }) };
}

/** The address that the next order gets. */
async function nextOf({ domain }: House): Promise<string> {
  const [row] = await db<{ login: string }[]>`
    select m.local_part || '@' || d.name as login from mail_domain d join mailbox m on m.domain_id = d.id
    where d.name = ${domain} and not exists (select from orders o where o.mailbox_id = m.id) order by m.id limit 1`;
  return row!.login;
}

let code = 100_000;

function misbehave(server: Imapd, rules: History["rules"]): void {
  const asked = new Map<string, number>();
  server.twist = ({ command }) => {
    const before = asked.get(command) ?? 0;
    asked.set(command, before + 1);
    return rules.find(
      (each) => each.command === command && before >= each.after && before < each.after + each.times,
    )?.twist;
  };
}

function act(server: Imapd, login: string, does: string): void {
  const inbox = server.folder(login);
  switch (does) {
    case "hangs up":
      return server.hangUp(login);
    case "renumbers": {
      // A restored mailbox: other numbers, and who is connected is told by nothing but the end.
      if (inbox.validity === undefined) return;
      inbox.validity++;
      inbox.letters = inbox.letters.map((letter, place) => ({ ...letter, uid: place + 1 }));
      inbox.next = inbox.letters.length + 1;
      return server.hangUp(login);
    }
    case "tells nothing":
      server.tells = false;
      return;
    case "expunges": {
      const [oldest] = inbox.letters;
      if (oldest?.raw.includes("from before")) server.remove(login, oldest.uid);
      return;
    }
    case "moves": {
      const junk = server.folder(login, "Junk");
      const [moved] = junk.letters;
      if (!moved) return;
      server.remove(login, moved.uid, "Junk");
      server.put(login, moved.raw, { at: moved.at });
    }
  }
}

/** Answers the codes that came and those that were given, and how the mailbox ended. */
async function play({ server, house }: Place, one: History) {
  misbehave(server, []);
  Object.assign(server, {
    tells: true,
    validity: one.hasValidity ? 7 : undefined,
    capability: one.canIdle ? "IMAP4rev1 IDLE" : "IMAP4rev1",
  });
  const mailbox = await nextOf(house);
  for (const [place, seconds] of one.old.entries()) {
    const letter = { at: secondsAfter(now(), -seconds), uid: 1 + place * one.gap };
    server.put(mailbox, codeLetter(house.site, "111111").replace("Your code", "from before"), letter);
  }
  misbehave(server, one.rules);
  const came: string[] = [];
  const put = (folder: string) => {
    came.push(String(++code));
    server.put(mailbox, codeLetter(house.site, String(code)), { folder });
  };
  const placed = await house.order();
  expect(placed.login).toBe(mailbox);
  if (one.isEarly) put("INBOX");
  for (const step of one.steps) {
    if ("put" in step) put(step.put);
    else if ("does" in step) act(server, mailbox, step.does);
    else await new Promise((resolve) => setTimeout(resolve, step.pauseMs));
  }
  put("INBOX");
  misbehave(server, []);
  server.tells = true;
  await house.expectCodes(placed.orderId, came, 60_000);
  const kept = await db`select from recipient where mailbox_id = ${placed.mailboxId}`;
  const [box] = await db<{ dead: boolean; secret: Buffer | null }[]>`
    select dead, secret from mailbox where id = ${placed.mailboxId}`;
  // An order with a letter lives on when it is canceled.
  await db`delete from hosted_order where order_id = ${placed.orderId}`;
  return { kept: kept.length, came: came.length, isDead: box?.dead !== false || box.secret === null };
}

/** So many at a time, each at a host of its own: most of a history is waiting. */
const atOnce = 12;

async function losesNone(numRuns: number, seed?: number): Promise<void> {
  const places = await Promise.all(
    Array.from({ length: atOnce }, () => openPlace(Math.ceil(numRuns / atOnce) * 3 + 20)),
  );
  const free = [...places];
  const fetching: Fetching = await places[0]!.house.fetch(hasty);
  const sample = fc.sample(history, seed === undefined ? { numRuns } : { numRuns, seed });
  const failures: string[] = [];
  let next = 0;
  const work = async () => {
    const place = free.pop()!;
    for (let at = next++; at < sample.length && failures.length === 0; at = next++) {
      try {
        const { kept, came, isDead } = await play(place, sample[at]!);
        expect({ kept, isDead }).toEqual({ kept: came, isDead: false });
      } catch (fault) {
        failures.push(`history ${at}: ${String(fault)}\n${fc.stringify(sample[at])}`);
      }
    }
  };
  await Promise.all(places.map(work));
  await fetching.stop();
  expect(failures).toEqual([]);
}

test("each letter is there once, and no mailbox died, whatever the server did", () => losesNone(300));

test(
  "each letter is there once, and no mailbox died, in ten thousand histories",
  { tags: ["full"], timeout: 1_800_000 },
  () => losesNone(10_000),
);
