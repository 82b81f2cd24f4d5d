import type { Reply } from "../../contract/endpoint.ts";
import { referralCookie, referralWordPattern } from "../../contract/fields.ts";
import { passwordLengthMin } from "../../contract/limits.ts";
import {
  activate,
  authorize,
  balance,
  changePassword,
  disown,
  information,
  registration,
  replaceToken,
  sendCodeReset,
  sendNewCode,
} from "../../contract/users.ts";
import { defaultLanguage, isLanguage } from "../../i18n/languages.ts";
import type { Events } from "../events/events.ts";
import {
  answer,
  Limited,
  type Outcome,
  Refused,
  type RequestFacts,
  type Route,
} from "../platform/http/answer.ts";
import type { Captcha } from "../platform/http/captcha.ts";
import { now, unixSeconds } from "../platform/clock.ts";
import type { Db } from "../platform/db/db.ts";
import { Batcher, BatcherFull } from "../platform/db/batcher.ts";
import type { Limits, Who } from "../platform/http/rate-limits.ts";
import { showUsd } from "../platform/money.ts";
import * as ledger from "../ledger/ledger.ts";
import { isLink } from "./users.codes.ts";
import type { CodePurpose, Passwords, User, Users } from "./users.ts";

export interface Services {
  readonly db: Db;
  readonly captcha: Captcha;
  readonly events: Pick<Events, "revision">;
  readonly limits: Limits;
  readonly passwords: Passwords;
  readonly users: Users;
  readonly partners: Referrals;
}

interface Referrals {
  referrerOf(word: string): Promise<bigint | undefined>;
  shown(userId: bigint): Promise<Pick<Reply<typeof information>["data"], "referrals" | "soft">>;
}

const busySeconds = 5;

export function userRoutes(services: Services): Route[] {
  return [logIn(services), register(services), ...codes(services), disowning(services), ...account(services)];
}

function logIn({ captcha, limits, users }: Services): Route {
  return answer(authorize, ({ asked, request, refuse }) =>
    unlessBusy(async () => {
      if (!(await captcha.verify(asked.captcha, request.address))) return refuse("captcha");
      const who = await entering(users, asked.email, request.address);
      const wait = await limits.take("login", who, now());
      if (wait !== undefined) return new Limited(wait);
      const found = await users.authorize(asked);
      if (typeof found === "string") return refuse(found);
      await limits.forgive("login", who);
      const ways = await users.factors.ask(found.userId, "enter", now());
      if (ways) return refuse("second factor", { ...ways });
      await users.signedIn(found.userId, asked.email, request, now());
      const token = await users.sessions.begin(found.userId, "password", request, now());
      return { message: "authorized", data: { token } };
    }),
  );
}

function register(services: Services): Route {
  const { captcha, limits, partners, passwords, users } = services;
  return answer(registration, ({ asked, request, refuse }) =>
    unlessBusy(async () => {
      const { email, password, localization, language } = asked;
      const { address } = request;
      if (password.length < passwordLengthMin) return refuse("password too short");
      if (await passwords.isCommon(password, email)) return refuse("password too common");
      if (!(await captcha.verify(asked.recaptcha, address))) return refuse("captcha");
      const at = now();
      const wait = await limits.take("registration", { address }, at);
      if (wait !== undefined) return new Limited(wait);
      if (await passwords.isLeaked(password)) return refuse("password too common");
      const referredBy = (await ownerOf(partners, asked.ref)) ?? (await ownerOf(partners, wordOf(request)));
      const made = await users.register(
        { email, password, language: spoken(language, localization), referredBy, address },
        at,
      );
      if (typeof made === "string") return again(services, { email, password, request });
      const token = await users.sessions.begin(made.userId, "registration", request, at);
      return { message: "registered", token, data: { token } };
    }),
  );
}

const ownerOf = async (partners: Services["partners"], word: string | undefined) =>
  word === undefined ? undefined : partners.referrerOf(word);

function wordOf(request: RequestFacts): string | undefined {
  // A program may write the value in quotes (RFC 6265 §4.1.1).
  const word = request.cookie(referralCookie)?.replace(/^"(.*)"$/, "$1");
  return word !== undefined && referralWordPattern.test(word) ? word : undefined;
}

/** An existing account: if it is not activated and the password is right, the answer has its token (spec B §4). */
async function again(
  services: Services,
  { email, password, request }: { email: string; password: string; request: RequestFacts },
): Promise<Refused | Limited> {
  const { limits, users } = services;
  const { address } = request;
  const who = await entering(users, email, address);
  // This is a password check, so it counts as a log-in.
  const wait = await limits.take("login", who, now());
  if (wait !== undefined) return new Limited(wait);
  const found = await users.authorize({ email, password });
  if (typeof found === "string") return new Refused("email already registered");
  await limits.forgive("login", who);
  if (found.isActive) return new Refused("email already registered");
  await sendCode(services, { userId: found.userId, purpose: "activation", address });
  const token = await users.sessions.begin(found.userId, "password", request, now());
  return new Refused("email already registered", { token, data: { token } });
}

/** Addresses from which the account was used are not affected by the tries of others. */
export const entering = async (users: Users, email: string, address: string): Promise<Who> => ({
  account: email,
  address,
  whence: (await users.isAtHome(email, address, now())) ? "home" : "stranger",
});

/** Counts a try of six digits; the link of a mail cannot be guessed. Anyone may ask for a code, so that alone makes no owner. */
export async function takeTry(
  { limits, users }: Pick<Services, "limits" | "users">,
  { userId, ...who }: { userId: bigint | undefined; account: string; address: string },
  code: string,
): Promise<number | undefined> {
  if (isLink(code)) return undefined;
  const at = now();
  const isHome = userId !== undefined && (await users.isAtHome(userId, who.address, at));
  const isAsker = userId !== undefined && !isHome && (await users.askedFrom(userId, who.address, at));
  return limits.take("tries", { ...who, whence: isHome ? "home" : isAsker ? "asker" : "stranger" }, at);
}

function codes(services: Services): Route[] {
  const { captcha, limits, passwords, users } = services;
  return [
    answer(activate, async ({ asked, caller, request, refuse }) => {
      const { userId } = caller;
      const { address } = request;
      const at = now();
      const wait = await takeTry(services, { userId, account: String(userId), address }, asked.code);
      if (wait !== undefined) return new Limited(wait);
      const referrer = await ownerOf(services.partners, wordOf(request));
      const refused = await users.activate(userId, asked.code, at, { from: address, referrer });
      return refused ? refuse(refused) : { message: "activated" };
    }),

    answer(sendNewCode, async ({ caller, request, refuse }) => {
      if (caller.active) return refuse("account already activated");
      const { userId } = caller;
      const no = await sendCode(services, { userId, purpose: "activation", address: request.address });
      return no ?? { message: "code sent" };
    }),

    answer(sendCodeReset, async ({ asked, request, refuse }) => {
      const { address } = request;
      if (!(await captcha.verify(asked.captcha, address))) return refuse("captcha");
      const userId = await users.idOf(asked.email);
      if (userId === undefined) {
        // Probing addresses counts like asking for codes.
        const wait = await limits.take("codes", { address }, now());
        return wait === undefined ? refuse("user not found") : new Limited(wait);
      }
      return (await sendCode(services, { userId, purpose: "reset", address })) ?? { message: "code sent" };
    }),

    answer(changePassword, ({ asked, request, refuse }) =>
      unlessBusy(() =>
        attempts.submit(async () => {
          if (asked.password.length < passwordLengthMin) return refuse("password too short");
          if (await passwords.isCommon(asked.password, asked.email)) return refuse("password too common");
          const { address } = request;
          const at = now();
          const userId = await users.idOf(asked.email);
          const wait = await takeTry(services, { userId, account: asked.email, address }, asked.code);
          if (wait !== undefined) return new Limited(wait);
          const { isLeaked } = passwords;
          const { code, password, keep_programs: keepPrograms } = asked;
          const language = isLanguage(asked.language) ? asked.language : undefined;
          // Must not reveal which accounts exist: without one the code is wrong.
          const refused = await users.changePassword(
            userId,
            { code, password, keepPrograms, language, isLeaked },
            at,
            request,
          );
          if (refused || userId === undefined) return refuse(refused ?? "invalid code");
          await limits.forgive("login", { account: asked.email, address });
          return { message: "password changed" };
        }),
      ),
    ),
  ];
}

type Attempt = () => Promise<Outcome<typeof changePassword>>;

/** Anyone may call it, without an account and without a captcha: a crowd waits here, and not before the log-ins of others. */
const attempts = new Batcher<Attempt, Awaited<ReturnType<Attempt>>>(
  (works) => Promise.all(works.map((work) => work())),
  {
    concurrency: 2,
    batchMax: 1,
    queueMax: 200,
    mayRepeat: () => false,
  },
);

function disowning({ users }: Services): Route {
  return answer(disown, async ({ asked: { email, code }, request, refuse }) => {
    const refused = await users.disown(email, code, now(), request);
    return refused ? refuse(refused) : { message: "access ended" };
  });
}

async function sendCode(
  { limits, users }: Services,
  { userId, purpose, address }: { userId: bigint; purpose: CodePurpose; address: string },
): Promise<Refused | Limited | undefined> {
  const at = now();
  // Checked first: asking too early does not count against the limit.
  const early = await users.secondsToCode(userId, purpose, at);
  if (early > 0) return tryAgain(early);
  const isAtHome = await users.isAtHome(userId, address, at);
  const whence = isAtHome ? "home" : "stranger";
  const wait = await limits.take("codes", { account: String(userId), address, whence }, at);
  if (wait !== undefined) return new Limited(wait);
  const late = await users.sendCode(userId, purpose, at, address);
  return late > 0 ? tryAgain(late) : undefined;
}

export function tryAgain(seconds: number): Refused {
  return new Refused(`try again ${seconds} seconds`, { retry_after: seconds });
}

function account({ db, events, partners, users }: Services): Route[] {
  return [
    answer(
      information,
      async ({ caller }) => {
        const [user, has, earnings] = await Promise.all([
          users.information(caller.userId),
          ledger.balance(db, caller.userId),
          partners.shown(caller.userId),
        ]);
        const token = caller.session ? await users.tokenOf(caller.userId) : caller.token;
        return { data: { ...aboutUser(user), ...earnings, token, balance: showUsd(has) } };
      },
      { version: "digest" },
    ),

    answer(replaceToken, async ({ caller, request }) => ({
      message: "token replaced",
      data: { token: await users.replaceToken(caller.userId, request) },
    })),

    answer(balance, async ({ caller }) => ({ balance: showUsd(await ledger.balance(db, caller.userId)) }), {
      version: async (_asked, { userId }) => `${userId}.${await events.revision(userId)}`,
    }),
  ];
}

function aboutUser(
  user: User,
): Omit<Reply<typeof information>["data"], "token" | "balance" | "referrals" | "soft"> {
  return {
    id: String(user.id),
    name: user.name,
    email: user.email,
    avatar: user.avatar,
    active: user.activatedAt !== null,
    is_investor: user.isInvestor,
    is_admin: user.isAdmin,
    ...(user.officeRole !== null && { office_role: user.officeRole }),
    telegramConfirmed: user.hasTelegram,
    socials: [{ is_auth: user.hasTelegram ? 1 : 0 }],
    // The initial mode; the page stores the chosen one (spec O §2).
    mode: "user",
    created_at: unixSeconds(user.createdAt),
  };
}

/** The language of our mail to a user. A `localization` of ru is ignored: every page sends it (spec B §9). */
function spoken(language: string | undefined, localization: string | undefined): string {
  if (isLanguage(language)) return language;
  return isLanguage(localization) && localization !== "ru" ? localization : defaultLanguage;
}

export async function unlessBusy<Answer>(work: () => Promise<Answer>): Promise<Answer | Limited> {
  try {
    return await work();
  } catch (fault) {
    if (fault instanceof BatcherFull) return new Limited(busySeconds);
    throw fault;
  }
}
