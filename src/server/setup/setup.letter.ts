// Sends a test letter to the postmaster of an own domain through the usual reception.
import { setTimeout as pause } from "node:timers/promises";
import { customAlphabet } from "nanoid";
import { createTransport } from "nodemailer";
import type { Db } from "../platform/db/db.ts";
import { isLocal } from "../platform/network-address.ts";
import { listForPostmaster } from "../letters/letters.ts";

export interface Listener {
  readonly host: string;
  readonly port: number;
}

export interface Tried {
  readonly to: string;
  readonly arrived: boolean;
  readonly milliseconds: number;
  /** `closed`: no connection. `refused`: by the reception. `lost`: accepted and not stored. */
  readonly trouble?: "closed" | "refused" | "lost";
  readonly said?: string;
}

const mark = customAlphabet("abcdefghijklmnopqrstuvwxyz", 16);
const connectMilliseconds = 5_000;
const arriveMilliseconds = 10_000;
const pauseMilliseconds = 50;

export async function tryLetter(
  db: Db,
  { host, port }: Listener,
  domain: string,
  name: string,
): Promise<Tried> {
  const started = performance.now();
  const past = () => Math.round(performance.now() - started);
  const [to, from] = [`postmaster@${domain}`, `test-${mark()}@${domain}`];
  const transport = createTransport({
    host,
    port,
    name,
    secure: false,
    ignoreTLS: true,
    connectionTimeout: connectMilliseconds,
    greetingTimeout: connectMilliseconds,
    socketTimeout: arriveMilliseconds,
  });
  try {
    await transport.sendMail({
      from: { name: "Postern", address: from },
      to,
      subject: `Test letter for ${domain}`,
      text: "An administrator tries whether letters arrive. There is nothing to do.",
      headers: { "Auto-Submitted": "auto-generated" },
    });
  } catch (fault) {
    const { response } = fault as { response?: string };
    const trouble = response === undefined ? "closed" : "refused";
    return { to, arrived: false, milliseconds: past(), trouble, ...(response && { said: response }) };
  } finally {
    transport.close();
  }
  while (past() < arriveMilliseconds) {
    const letters = await listForPostmaster(db);
    if (letters.some(({ mailFrom, subject }) => mailFrom === from && subject !== null))
      return { to, arrived: true, milliseconds: past() };
    await pause(pauseMilliseconds);
  }
  return { to, arrived: false, milliseconds: past(), trouble: "lost" };
}

/** Of the newest letters for postmasters: when the last one came from outside. */
export async function lastFromOutside(db: Db): Promise<Date | undefined> {
  const letters = await listForPostmaster(db);
  return letters.find(({ remote }) => remote !== null && !isLocal(remote))?.arrivedAt;
}
