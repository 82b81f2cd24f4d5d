import { boxOf } from "../../contract/login.ts";
import { domainToASCII } from "node:url";
import { now } from "../platform/clock.ts";

export interface Directory {
  /** The name in the greeting: letters to the bare postmaster are for it. */
  hostname: string;
  /** Whether we receive for this domain (lower case, ASCII). */
  isOurDomain(domain: string): boolean | Promise<boolean>;
  /** The mailbox of a lower-case address of an own domain; undefined when there is none. */
  isOurs(address: string): Promise<bigint | undefined>;
}

/** `postmaster`: the operator; `elsewhere`: would be relaying. */
export type Recipient = { readonly mailboxId: bigint } | "postmaster" | "unknown" | "elsewhere";

// Every domain has them (RFC 5321 §4.5.1, RFC 2142 §2), whatever mailboxes are on sale there.
const operators = new Set(["postmaster", "abuse"]);

/** Finds whose an address is: that of a mailbox with its very name, else with the name before a tag (`user+tag@`). */
export function recipientsOf(directory: Directory): (address: string) => Promise<Recipient> {
  const mailboxOf = remembered((address) => directory.isOurs(address));
  const hostname = directory.hostname.toLowerCase();
  return async (address) => {
    const at = address.lastIndexOf("@");
    // The only valid address without a domain.
    if (at < 0) return address.toLowerCase() === "postmaster" ? "postmaster" : "unknown";
    const domain = domainToASCII(address.slice(at + 1))
      .toLowerCase()
      .replace(/\.$/, "");
    const local = unquoted(address.slice(0, at)).toLowerCase();
    if (operators.has(local) && domain === hostname) return "postmaster";
    if (!(await directory.isOurDomain(domain))) return "elsewhere";
    if (operators.has(local)) return "postmaster";
    const box = boxOf(local);
    const mailboxId =
      (await mailboxOf(`${local}@${domain}`)) ??
      (box === local ? undefined : await mailboxOf(`${box}@${domain}`));
    return mailboxId === undefined ? "unknown" : { mailboxId };
  };
}

/** `"user"@` is `user@` (RFC 5321 §4.1.2). */
const unquoted = (local: string) =>
  /^"((?:[^"\\]|\\.)*)"$/s.exec(local)?.[1]?.replaceAll(/\\(.)/gs, "$1") ?? local;

const rememberedSeconds = 30;
const rememberedMax = 10_000;

/** Caches found mailboxes for a short time, but no misses, as a mailbox may be added. */
function remembered(
  find: (address: string) => Promise<bigint | undefined>,
): (address: string) => Promise<bigint | undefined> {
  const known = new Map<string, { mailboxId: bigint; until: number }>();
  return async (address) => {
    const time = now().getTime();
    const seen = known.get(address);
    if (seen && seen.until > time) return seen.mailboxId;
    const mailboxId = await find(address);
    known.delete(address);
    if (mailboxId !== undefined) known.set(address, { mailboxId, until: time + rememberedSeconds * 1000 });
    const [oldest] = known.keys();
    if (known.size > rememberedMax && oldest !== undefined) known.delete(oldest);
    return mailboxId;
  };
}
