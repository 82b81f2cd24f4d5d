// Checks a mailbox before it is on sale: does it open, did a person use it, and what is it told apart by. Changes nothing, reads who wrote
// to whom and when, and keeps of that a hash (imap.same.ts).
import type { ImapFlow, MessageAddressObject } from "imapflow";
import type { Seal } from "../platform/seal.ts";
import { registrable } from "../platform/registrable.ts";
import { createClient, expectOpen, type Patience, reasonOf, unlessRefused } from "./imap.client.ts";
import { isJunk } from "./imap.junk.ts";
import { isRefused } from "./imap.refusals.ts";
import { inboxMarks } from "./imap.same.ts";
import type { Box } from "./imap.sql.ts";

/** `personal`: it has a person's letters. `down`: the server did not answer. */
export type Seen = "opened" | "personal" | "refused" | "down";

type Marks = Awaited<ReturnType<typeof inboxMarks>>;

/** A fresh mailbox has a welcome or two; one with many letters is used, whatever their senders. */
const welcomesMax = 5;
const lettersMax = 100;
const foldersMax = 50;

const role =
  /^(?:no-?reply|do-?not-?reply|welcome|support|postmaster|mailer-daemon|security|accounts?|notifications?)$/;

/** With `before` also searches letters that came earlier and are no welcome of the provider. Never throws. */
export async function check(
  box: Box,
  seal: Seal,
  before: Date | undefined,
  patience: Patience,
): Promise<{ seen: Seen; why: string; marks: Marks }> {
  let client: ImapFlow | undefined;
  let isIn = false;
  let password = "";
  const timer = setTimeout(() => client?.close(), patience.onceMs);
  try {
    password = seal.open(box.secret);
    const opened = await createClient(box, password, patience);
    client = opened;
    await opened.connect();
    isIn = true;
    const marks = (await unlessRefused(opened, () => inboxMarks(opened, box.hostId))) ?? [];
    const isUsed = before !== undefined && (await hasOlder(opened, box, before));
    await opened.logout().catch(() => undefined);
    return { seen: isUsed ? "personal" : "opened", why: "", marks };
  } catch (fault) {
    return {
      seen: !isIn && isRefused(fault) ? "refused" : "down",
      why: reasonOf(fault, password),
      marks: [],
    };
  } finally {
    clearTimeout(timer);
    client?.close();
  }
}

/** Searches every folder but junk, which says nothing about a reader. */
async function hasOlder(client: ImapFlow, box: Box, before: Date): Promise<boolean> {
  const folders = (await client.list()).filter(
    (folder) => !folder.flags.has("\\Noselect") && !isJunk(folder),
  );
  // Nothing is no answer: a mailbox has an inbox.
  if (folders.length === 0) throw new Error("the server listed no folder");
  if (folders.length > foldersMax) return true;
  let welcomes = 0;
  for (const { path } of folders) {
    const { exists } = await client.mailboxOpen(path, { readOnly: true });
    if (exists > lettersMax) return true;
    if (exists === 0) continue;
    const letters = await client.fetchAll("1:*", { internalDate: true, envelope: true });
    expectOpen(client, path);
    if (letters.length < exists) throw new Error("the server listed fewer letters than there are");
    for (const { internalDate, envelope } of letters) {
      // Without a time it may be old.
      if (internalDate !== undefined && new Date(internalDate) >= before) continue;
      welcomes++;
      if (!isWelcome(envelope?.from, box) || welcomes > welcomesMax) return true;
    }
  }
  return false;
}

/** Whether the provider wrote it: a role address at the mailbox's domain or its server's. */
export function isWelcome(
  from: readonly MessageAddressObject[] | undefined,
  { login, host }: Pick<Box, "login" | "host">,
): boolean {
  const [only, ...others] = from ?? [];
  const [name = "", domain = ""] = (only?.address ?? "").toLowerCase().split("@");
  const own = login.slice(login.lastIndexOf("@") + 1);
  const theirs = [own, host].map((each) => registrable(each) ?? each);
  return others.length === 0 && role.test(name) && theirs.includes(registrable(domain) ?? domain);
}
