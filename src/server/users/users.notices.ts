// The owner is told by mail what opens the account, or changes who may enter it. Each mail has a link "this was not me".
import { disownSeconds } from "../../contract/limits.ts";
import { secondsAfter } from "../platform/clock.ts";
import type { Sql, Tx } from "../platform/db/db.ts";
import { type From, placeOf } from "../platform/http/place.ts";
import type { Seal } from "../platform/seal.ts";
import { type Happening, type OfficeKind, type OwnerKind, queue } from "../mailer/mailer.ts";
import { newLink } from "./users.codes.ts";
import * as rows from "./users.notices.sql.ts";

export type { From } from "../platform/http/place.ts";

interface Act extends Pick<Happening, "webhook" | "role" | "email" | "by" | "about" | "amount"> {
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
  const linkHash = seal.hash("disown", `${userId} ${link}`);
  const mail = (id: bigint, times: number, dueAt: Date) => {
    const values: Happening = { ...more, ...placeOf(from), at: at.toISOString(), times, link };
    return queue(tx, seal, { to, kind, language, values }, { userId, ref: rows.refOf(id), dueAt });
  };
  const again = await rows.countAgain(tx, userId, kind, at);
  if (again) {
    await rows.setLink(tx, again.id, linkHash);
    return mail(again.id, again.times, again.createdAt);
  }
  const { count, last } = await rows.selectSent(tx, userId, kind, secondsAfter(at, -day));
  const next = last !== null && count >= atOnce ? secondsAfter(last, togetherSeconds) : at;
  const createdAt = next > at ? next : at;
  const { id } = await rows.insertOwnerNotice(tx, {
    userId,
    kind,
    address: to,
    language,
    linkHash,
    createdAt,
  });
  await mail(id, 1, createdAt);
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
  const mail = await rows.selectDisown(sql, userId, seal.hashes("disown", `${userId} ${code}`));
  if (!mail) return "invalid code";
  return secondsAfter(mail.createdAt, disownSeconds) > at ? "ok" : "token expired";
}
