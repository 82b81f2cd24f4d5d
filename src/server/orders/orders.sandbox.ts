// Own sites that send the same letters every time, for tests of client programs. All is real, but free, and the shop writes the letters.
import { createTransport, type SendMailOptions } from "nodemailer";
import { sandboxCode, sandboxSecondCode, type SandboxSite } from "../../contract/sandbox.ts";
import type { FoundSite } from "../catalog/catalog.ts";
import { addStock } from "../inventory/inventory.ts";
import type { Db } from "../platform/db/db.ts";
import type { Incoming } from "../letters/letters.ts";
import { deleteDue, selectDue, selectLeft, type DueLetter } from "./orders.sandbox.sql.ts";

/** The one site that never has a mailbox. */
export const emptySite = "sandbox-no-emails" satisfies SandboxSite;

export interface Sandbox {
  /** The mail domains for a sandbox site, whatever was asked for; adds mailboxes when they run low. */
  domainsOf(site: { id: number; name: string; sandboxDomainId: number }): Promise<number[]>;
  sendDue(at: Date): Promise<number>;
}

const mailboxesMin = 200;
const mailboxesMore = 1_000;
const sendSize = 200;

export function openSandbox(db: Db, keep: (letter: Incoming) => Promise<void>): Sandbox {
  const filling = new Map<number, Promise<unknown>>();
  const fill = (domainId: number): Promise<unknown> => {
    const running = filling.get(domainId);
    if (running) return running;
    const begun = addStock(db, domainId, mailboxesMore).finally(() => filling.delete(domainId));
    filling.set(domainId, begun);
    return begun;
  };
  return {
    domainsOf: async ({ id, name, sandboxDomainId }) => {
      if (name !== emptySite && (await selectLeft(db, id)).left < mailboxesMin) await fill(sandboxDomainId);
      return [sandboxDomainId];
    },
    sendDue: async (at) => {
      let sent = 0;
      for (;;) {
        const due = await selectDue(db, at, sendSize);
        sent += await send(db, keep, due, at);
        if (due.length < sendSize) return sent;
      }
    },
  };
}

export function isSandbox(site: FoundSite): site is FoundSite & { sandboxDomainId: number } {
  return site.sandboxDomainId !== null;
}

// The due row is deleted after the letter is kept: a crash in between sends it twice, never not at all.
async function send(
  db: Db,
  keep: (letter: Incoming) => Promise<void>,
  due: readonly DueLetter[],
  at: Date,
): Promise<number> {
  const wanted = due.filter(({ isWanted }) => isWanted);
  const outcomes = await Promise.allSettled(
    wanted.map(async (letter) => {
      const { mailFrom, raw } = await compose(letter, at);
      await keep({
        mailFrom,
        raw,
        mailboxIds: [letter.mailboxId],
        isToPostmaster: false,
        remote: undefined,
        helo: "",
      });
    }),
  );
  const failed = new Set(wanted.filter((_, index) => outcomes[index]?.status === "rejected"));
  await deleteDue(
    db,
    due.filter((letter) => !failed.has(letter)),
  );
  const fault = outcomes.find((outcome) => outcome.status === "rejected");
  if (fault) throw new Error("a letter of the sandbox was not kept", { cause: fault.reason });
  return wanted.length;
}

const writer = createTransport({ streamTransport: true, buffer: true, newline: "windows" });

async function compose(letter: DueLetter, at: Date): Promise<{ mailFrom: string; raw: Buffer }> {
  const mailFrom = `no-reply@${letter.site}.test`;
  const { message } = await writer.sendMail({
    from: { name: "Sandbox", address: mailFrom },
    to: letter.email,
    date: at,
    messageId: `<${letter.orderId}.${letter.kind}@${letter.site}.test>`,
    ...contents(letter),
  });
  if (!Buffer.isBuffer(message)) throw new Error("the letter was asked for as a buffer");
  return { mailFrom, raw: message };
}

function contents({ kind, site, subject }: DueLetter): Pick<SendMailOptions, "subject" | "text" | "html"> {
  const code = kind === "second" ? sandboxSecondCode : sandboxCode;
  const link = `https://${site}.test/confirm?code=${code}`;
  const lead = `Your confirmation code is ${code}.`;
  const title = "Confirm your address";
  const html = `<!DOCTYPE html><html lang="en"><body style="font-family:sans-serif;color:#202123">
<p>Hello,</p><p>${lead}</p><p><a href="${link}">Confirm your address</a></p>
<p>If you did not ask for it, you can ignore this letter.</p></body></html>`;
  const text = `Hello,\n\n${lead}\n\nConfirm your address: ${link}\n\nIf you did not ask for it, you can ignore this letter.\n`;
  if (kind === "subject") return { subject: without(subject), text, html };
  return {
    subject: subject === null ? title : `${title}: ${subject}`,
    html,
    ...(kind === "html" ? {} : { text }),
  };
}

/** A subject without the asked word: the two have no letter in common. */
function without(word: string | null): string {
  return word !== null && "hi".includes(word.toLowerCase()) ? "News" : "Hi";
}
