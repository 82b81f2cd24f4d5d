// Own sites that send the same letters every time, for tests of client programs. All is real, but free, and the shop writes the letters.
import type { SendMailOptions } from "nodemailer";
import * as z from "zod/mini";
import { sandboxCode, sandboxSecondCode, type SandboxSite } from "../../contract/sandbox.ts";
import type { FoundSite } from "../catalog/catalog.ts";
import { addStock } from "../inventory/inventory.ts";
import { rawOf } from "../mailer/mailer.ts";
import { secondsAfter } from "../platform/clock.ts";
import { attempt, type Db } from "../platform/db/db.ts";
import { addTasks, failTask, finishTasks, nextTry, type Task, takeTasks } from "../platform/jobs/tasks.ts";
import type { Incoming } from "../letters/letters.ts";
import { type DueLetter, letterKinds, selectLeft, selectOrders, takeLetters } from "./orders.sandbox.sql.ts";

const Payload = z.object({ order: z.int() });

/** The one site that never has a mailbox. */
export const emptySite = "sandbox-no-emails" satisfies SandboxSite;

export interface Sandbox {
  /** The mail domains for a sandbox site, whatever was asked for; adds mailboxes when they run low. */
  domainsOf(site: { id: number; name: string; sandboxDomainId: number }): Promise<number[]>;
  sendDue(at: Date): Promise<number>;
}

const mailboxesMin = 200;
const mailboxesMore = 1_000;
const taking = { queue: "sandbox", size: 200, leaseSeconds: 60, kinds: letterKinds };
const backOff = { waitsSeconds: [5, 30, 300] };
/** A process of the release before sends its own letters sooner. */
const leftBehindSeconds = 30;

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
      await adopt(db, secondsAfter(at, -leftBehindSeconds));
      let sent = 0;
      for (;;) {
        const due = await takeTasks(db, taking, at);
        sent += await send(db, keep, due, at);
        if (due.length < taking.size) return sent;
      }
    },
  };
}

export function isSandbox(site: FoundSite): site is FoundSite & { sandboxDomainId: number } {
  return site.sandboxDomainId !== null;
}

const adopt = (db: Db, before: Date) =>
  attempt(db, async (tx) => {
    const left = await takeLetters(tx, before);
    const tasks = left.map(({ orderId, kind, site: key, userId, dueAt }) => {
      const payload = { order: Number(orderId) };
      return { queue: taking.queue, kind, key, userId, ref: `${orderId} ${kind}`, payload, dueAt };
    });
    await addTasks(tx, tasks);
    return undefined;
  });

// The task is done after the letter is kept: a crash in between sends it twice, never not at all.
async function send(
  db: Db,
  keep: (letter: Incoming) => Promise<void>,
  due: readonly Task[],
  at: Date,
): Promise<number> {
  const orderOf = ({ payload }: Task) => BigInt(Payload.parse(payload).order);
  const orders = new Map(
    (await selectOrders(db, due.map(orderOf), at)).map((order) => [order.orderId, order] as const),
  );
  const sending = due.map(async (task) => {
    const order = orders.get(orderOf(task));
    if (!order?.isWanted) return false;
    const { mailFrom, raw } = await compose({ ...order, kind: task.kind as DueLetter["kind"] }, at);
    const { mailboxId } = order;
    await keep({
      mailFrom,
      raw,
      mailboxIds: [mailboxId],
      isToPostmaster: false,
      remote: undefined,
      helo: "",
    });
    return true;
  });
  const outcomes = await Promise.allSettled(sending);
  await finishTasks(
    db,
    due.filter((_, index) => outcomes[index]?.status === "fulfilled"),
    at,
  );
  for (const [index, outcome] of outcomes.entries())
    if (outcome.status === "rejected")
      await failTask(db, due[index]!, {
        failure: String(outcome.reason),
        dueAt: nextTry(backOff, due[index]!, at),
      });
  const fault = outcomes.find((outcome) => outcome.status === "rejected");
  if (fault) throw new Error("a letter of the sandbox was not kept", { cause: fault.reason });
  return outcomes.filter((outcome) => outcome.status === "fulfilled" && outcome.value).length;
}

async function compose(letter: DueLetter, at: Date): Promise<{ mailFrom: string; raw: Buffer }> {
  const mailFrom = `no-reply@${letter.site}.test`;
  const raw = await rawOf({
    from: { name: "Sandbox", address: mailFrom },
    to: letter.email,
    date: at,
    messageId: `<${letter.orderId}.${letter.kind}@${letter.site}.test>`,
    ...contents(letter),
  });
  return { mailFrom, raw };
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
