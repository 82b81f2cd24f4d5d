import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLog } from "../../src/server/platform/log.ts";
import type { Incoming } from "../../src/server/letters/letters.ts";
import {
  openReception,
  type Reception,
  type ReceptionOptions,
} from "../../src/server/reception/reception.ts";
import { talkTo, type Talk } from "./talk.ts";

const log = createLog("silent");
const open: { receptions: Reception[]; talks: Talk[]; folders: string[] } = {
  receptions: [],
  talks: [],
  folders: [],
};

export async function closeReceptions(): Promise<void> {
  for (const talk of open.talks.splice(0)) talk.close();
  for (const reception of open.receptions.splice(0)) await reception.stop();
  for (const folder of open.folders.splice(0)) await rm(folder, { recursive: true });
}

/** A reception for ann@, bob@ and box1…box200@letters.test, with its kept letters. */
export async function receptionWith(
  options: Partial<ReceptionOptions> = {},
): Promise<{ kept: Incoming[]; reception: Reception; spoolFolder: string }> {
  const kept: Incoming[] = [];
  const spoolFolder = await mkdtemp(join(tmpdir(), "postern-spool-"));
  open.folders.push(spoolFolder);
  const reception = await openReception({
    host: "127.0.0.1",
    port: 0,
    hostname: "mx.letters.test",
    log,
    spoolFolder,
    isOurDomain: (domain) => domain === "letters.test" || domain === "xn--bcher-kva.test",
    isOurs: async (address) => {
      if (address === "ann@letters.test") return 1n;
      if (address === "bob@letters.test") return 2n;
      if (address === "ann@xn--bcher-kva.test") return 3n;
      const box = /^box(\d+)@letters\.test$/.exec(address);
      return box ? 100n + BigInt(box[1]!) : undefined;
    },
    keep: async (letter) => void kept.push(letter),
    ...options,
  });
  open.receptions.push(reception);
  return { kept, reception, spoolFolder };
}

export function heldKeep() {
  const held = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  const keep = () => {
    asked.resolve();
    return held.promise;
  };
  return { keep, asked: asked.promise, release: held.resolve };
}

/** Before the greeting. */
export function connectTo(reception: Reception): Talk {
  return closedAtEnd(talkTo(reception.port));
}

export function closedAtEnd(talk: Talk): Talk {
  open.talks.push(talk);
  return talk;
}

export async function introduced(reception: Reception): Promise<Talk> {
  const talk = connectTo(reception);
  await talk.hear();
  await talk.ask("EHLO mail.instagram.com");
  return talk;
}

export async function atData(reception: Reception): Promise<Talk> {
  const talk = await introduced(reception);
  await toData(talk);
  return talk;
}

export async function toData(talk: Talk): Promise<void> {
  await talk.ask("MAIL FROM:<no-reply@mail.instagram.com>");
  await talk.ask("RCPT TO:<ann@letters.test>");
  const reply = await talk.ask("DATA");
  if (!reply.startsWith("354 ")) throw new Error(`no letter may be sent: ${reply}`);
}
