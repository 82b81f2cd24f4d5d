// The owner is told by mail what opens the account, or changes who may enter it. Each mail has a link "this was not me".
import { disownSeconds } from "../../contract/limits.ts";
import { secondsAfter } from "../platform/clock.ts";
import type { Sql, Tx } from "../platform/db/db.ts";
import type { RequestFacts } from "../platform/http/answer.ts";
import { isLocal, networkOf } from "../platform/network-address.ts";
import type { Seal } from "../platform/seal.ts";
import { type Happening, type OfficeKind, type OwnerKind, queue } from "../mailer/mailer.ts";
import { newLink } from "./users.codes.ts";
import * as rows from "./users.notices.sql.ts";

/** Whose call it was; what is missing is not told. */
export type From = Partial<Pick<RequestFacts, "address" | "userAgent">>;

interface Act extends Pick<Happening, "webhook" | "role" | "by" | "about" | "amount"> {
  readonly userId: bigint;
  readonly kind: OwnerKind;
  readonly from?: From | undefined;
}

const day = 24 * 60 * 60;
/** Of one kind in a day. */
const atOnce = 3;
/** Then one mail in this time tells all that happened in it. */
const togetherSeconds = 60 * 60;

/** Mails the owner in the transaction of what happened. Who never confirmed the address is told nothing. */
export async function tellOwner(tx: Tx, seal: Seal, act: Act, at: Date): Promise<void> {
  const { userId, kind, from = {}, ...more } = act;
  const owner = await rows.selectOwner(tx, userId);
  if (!owner) return;
  const { email: to, language } = owner;
  const link = newLink();
  const linkHash = hashOf(seal, userId, link);
  const mail = (id: bigint, times: number, dueAt: Date) => {
    const values: Happening = { ...more, ...placeOf(from), at: at.toISOString(), times, link };
    return queue(tx, seal, { to, kind, language, values }, { userId, ref: rows.refOf(id), dueAt });
  };
  const again = await rows.countAgain(tx, userId, kind, at);
  if (again) {
    await rows.setLink(tx, again.id, linkHash);
    return mail(again.id, again.times, again.toldAt);
  }
  const { told, last } = await rows.selectTold(tx, userId, kind, secondsAfter(at, -day));
  const next = last !== null && told >= atOnce ? secondsAfter(last, togetherSeconds) : at;
  const toldAt = next > at ? next : at;
  const { id } = await rows.insertOwnerNotice(tx, { userId, kind, address: to, language, linkHash, toldAt });
  await mail(id, 1, toldAt);
}

/** What happened in the back office, and who did it: a person, or the operator by the command. */
interface OfficeAct extends Pick<Happening, "role" | "amount"> {
  readonly kind: OfficeKind;
  readonly by: "operator" | bigint;
  /** The address of the account that it is about. */
  readonly about: string;
}

/** Mails all owners of the shop, in the transaction of what happened. */
export async function tellOwners(tx: Tx, seal: Seal, act: OfficeAct, at: Date): Promise<void> {
  const by = act.by === "operator" ? undefined : (await rows.selectOwner(tx, act.by))?.email;
  for (const { id: userId } of await rows.selectShopOwners(tx))
    await tellOwner(tx, seal, { ...act, by, userId }, at);
}

/** Whether a link "this was not me" is good. `voidDisowns` uses it up, with all others of the account. */
export async function tryDisown(
  sql: Sql,
  seal: Seal,
  { userId, code }: { userId: bigint; code: string },
  at: Date,
): Promise<"ok" | "invalid code" | "token expired"> {
  const mail = await rows.selectDisown(sql, userId, hashOf(seal, userId, code));
  if (!mail) return "invalid code";
  return secondsAfter(mail.toldAt, disownSeconds) > at ? "ok" : "token expired";
}

const hashOf = (seal: Seal, userId: bigint, link: string) => seal.hash("disown", `${userId} ${link}`);

/** The network as limits count it; an address of the shop's own network says nothing. */
export function placeOf({ address, userAgent }: From): Pick<Happening, "network" | "program"> {
  const isKnown = address !== undefined && !isLocal(address);
  const network = isKnown ? networkOf(address) : undefined;
  return {
    network: network?.includes(":") ? `${network}::/64` : network,
    program: programOf(userAgent),
  };
}

/** The first that a User-Agent names: browsers name those that they are like after themselves. Its own words are a stranger's. */
const programs: readonly [RegExp, string][] = [
  [/\bEdg(e|A|iOS)?\//, "Edge"],
  [/\b(OPR|OPT)\//, "Opera"],
  [/\bYaBrowser\//, "Yandex"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(Firefox|FxiOS)\//, "Firefox"],
  [/\b(Chrome|CriOS)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
  [/^curl\//i, "curl"],
  [/\bpython|aiohttp|httpx/i, "Python"],
  [/^(node|undici|axios)\b/i, "Node.js"],
  [/^Go-http-client\//, "Go"],
  [/^PostmanRuntime\//, "Postman"],
];
const systems: readonly [RegExp, string][] = [
  [/\b(iPhone|iPad|iPod)\b/, "iOS"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bMacintosh\b/, "macOS"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b/, "Linux"],
];

/** A program and its system, as "Firefox, Windows"; undefined when it is none of these. */
export function programOf(userAgent: string | undefined): string | undefined {
  if (userAgent === undefined) return undefined;
  const named = [programs, systems].flatMap(
    (known) => known.find(([pattern]) => pattern.test(userAgent))?.[1] ?? [],
  );
  return named.length === 0 ? undefined : named.join(", ");
}
