// Referral words, and earnings by referrals and programs (spec O §2 and §9).
import { referralWordsMax } from "../../contract/limits.ts";
import { attempt, type Db } from "../platform/db/db.ts";
import * as ledger from "../ledger/ledger.ts";
import {
  decide,
  type Decision,
  type HeldRow,
  type Listed,
  listHeld,
  listPartners,
  type Paid,
  type PartnerRow,
  payOut,
  type Payout,
  type Way,
} from "./partners.admin.ts";
export { forgetUser } from "./partners.sql.ts";
import { show, type Shown } from "./partners.shown.ts";
import * as rows from "./partners.sql.ts";

export {
  type Decision,
  heldOnWire,
  type HeldRow,
  type Listed,
  type PartnerRow,
  type Payout,
  type Way,
} from "./partners.admin.ts";

export interface Partners {
  /** The owner of a word, in any case; undefined when there is none. */
  referrerOf(word: string): Promise<bigint | undefined>;
  /** Makes a word current. Earlier ones still work. */
  chooseWord(
    userId: bigint,
    word: string,
    at: Date,
  ): Promise<{ word: string; link: string } | "word taken" | "too many words">;
  shown(userId: bigint): Promise<Shown>;
  list(page: number): Promise<Listed<PartnerRow>>;
  held(page: number): Promise<Listed<HeldRow>>;
  payOut(payout: Payout): Promise<Paid | "no partner" | "more than due" | "key used">;
  decide(decision: Decision, at: Date): Promise<HeldRow | "nothing held">;
  /** Earnings by UTC day, the oldest first; without days without earnings. */
  days(userId: bigint, way: Way): Promise<ledger.AccountDay[]>;
}

/** Nobody gets these: other sites add them to the links that they show, or they sound like the shop itself. */
const reservedWords = new Set(
  (
    "admin administrator alternativeto badge banner betalist facebook footer ghost github google hackernews header hn homepage " +
    "indiehackers instagram linkedin medium menu nav navbar newsletter null official popup postern producthunt reddit root rss " +
    "saashub sidebar stackshare staff substack support system telegram tiktok twitter undefined whatsapp widget youtube"
  ).split(" "),
);

/** `publicUrl` begins their links. */
export function openPartners({ db, publicUrl }: { db: Db; publicUrl: string }): Partners {
  const linkOf = (word: string) => `${publicUrl}/?ref=${word}`;
  const shown = async (userId: bigint): Promise<Shown> => {
    const [[word], { count }, referrals, soft] = await Promise.all([
      rows.selectWords(db, userId),
      rows.countReferrals(db, userId),
      ledger.earnings(db, userId, "referrals"),
      ledger.earnings(db, userId, "soft"),
    ]);
    return show(userId, { word, referred: count, referrals, soft }, linkOf);
  };
  return {
    referrerOf: async (word) => (await rows.selectOwner(db, word))?.userId,
    chooseWord: (userId, word, at) =>
      attempt(db, async (tx) => {
        await rows.lockWords(tx, userId);
        const mine = await rows.selectWords(tx, userId);
        const isMine = mine.some((each) => each.word.toLowerCase() === word.toLowerCase());
        if (!isMine && mine.length >= referralWordsMax) return "too many words";
        if (!isMine && reservedWords.has(word.toLowerCase())) return "word taken";
        const put = await rows.putWord(tx, { userId, word, at });
        return put ? { word: put.word, link: linkOf(put.word) } : "word taken";
      }),
    shown,
    list: (page) => listPartners(db, page, shown),
    held: (page) => listHeld(db, page),
    payOut: (payout) => payOut(db, payout),
    decide: (decision, at) => decide(db, decision, at),
    days: async (userId, way) => {
      const days = await ledger.earnedByDay(db, userId, way, new Date(0));
      return days.filter(({ credit }) => credit !== 0n);
    },
  };
}
