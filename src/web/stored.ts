import { useSyncExternalStore } from "react";
import { defaultLanguage, isLanguage, type Language, languageCodes } from "../i18n/languages.ts";
import type { Mode } from "./paths.ts";

/** A key of local storage with its type and default, for absent or invalid values. */
export interface Stored<Value> {
  readonly key: string;
  readonly fallback: Value;
  read: () => Value;
  write: (value: Value) => void;
  remove: () => void;
}

const listeners = new Set<() => void>();
/** What the browser did not store, because its storage is blocked or full: kept until the page is left. */
const unstored = new Map<string, string>();
let isStorageLost = false;

function text(key: string): Stored<string> {
  return entry(
    key,
    "",
    (raw) => raw,
    (value) => value,
  );
}

function word<Word extends string>(key: string, words: readonly Word[], fallback: Word): Stored<Word> {
  return entry(
    key,
    fallback,
    (raw) => words.find((known) => known === raw),
    (value) => value,
  );
}

function json<Value>(
  key: string,
  fallback: Value,
  isRight: (value: unknown) => value is Value,
): Stored<Value> {
  const parse = (raw: string) => {
    const value: unknown = JSON.parse(raw);
    return isRight(value) ? value : undefined;
  };
  return entry(key, fallback, parse, JSON.stringify);
}

const isNumber = (value: unknown) => typeof value === "number" && Number.isFinite(value);
const isFlag = (value: unknown) => typeof value === "boolean";
const isWords = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === "string");

/** The choice of the home page that waits for a sign-in (spec B §2). */
export interface PendingRequest {
  from: string;
  to: string;
}

const isPending = (value: unknown): value is PendingRequest | null =>
  typeof value === "object" &&
  value !== null &&
  "from" in value &&
  typeof value.from === "string" &&
  "to" in value &&
  typeof value.to === "string";

/** An order that waits for the payment that it needs. The keys make it charge once, whatever repeats it. */
export interface WaitingPurchase {
  /** The id of the account that asked for it. */
  account: string;
  site: string;
  domain: string;
  subject: string;
  regex: string;
  note?: string | undefined;
  /** Dollars for one; another price needs consent. */
  price: number;
  /** One for each address. */
  keys: string[];
  /** Milliseconds since 1970. */
  at: number;
}

const isWaitingPurchase = (value: unknown): value is WaitingPurchase | null => {
  if (typeof value !== "object" || value === null) return value === null;
  const { keys, price, at, ...texts } = value as Record<string, unknown>;
  const { account, site, domain, subject, regex, note = "" } = texts;
  return (
    isWords(keys) && isWords([account, site, domain, subject, regex, note]) && isNumber(price) && isNumber(at)
  );
};

export interface Hints {
  sound: boolean;
  notification: boolean;
  code: boolean;
  title: boolean;
  /** They were offered once. */
  offered?: boolean;
}

const isHints = (value: unknown): value is Hints =>
  typeof value === "object" &&
  value !== null &&
  ["sound", "notification", "code", "title"].every((name) =>
    isFlag((value as Record<string, unknown>)[name]),
  );

const isTextMap = (value: unknown): value is Record<string, string> =>
  typeof value === "object" &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).every((one) => typeof one === "string");

interface Own<Value> extends Stored<Value> {
  /** What is stored now, whichever tab stored it. */
  readonly shared: () => Value;
  /** Takes over what another tab has stored; returns whether it differs. */
  follow: () => boolean;
}

/** A value read once for each tab: a change in another tab must not alter what this one buys or edits. */
function own<Value>(item: Stored<Value>): Own<Value> {
  let mine: { value: Value } | undefined;
  return {
    ...item,
    follow: () => {
      const before = mine;
      mine = { value: item.read() };
      if (before === undefined || before.value === mine.value) return false;
      tell();
      return true;
    },
    shared: item.read,
    read: () => (mine ??= { value: item.read() }).value,
    write: (value) => {
      mine = { value };
      item.write(value);
    },
    remove: () => {
      mine = undefined;
      item.remove();
    },
  };
}

/** All keys of local storage (spec B §3), with type and default. */
export const stored = {
  /** Own, so that every call is made for the account that the page shows; `followOtherTabs` follows. */
  authToken: own(text("authToken")),
  language: entry<Language>(
    "language",
    defaultLanguage,
    (raw) => (isLanguage(raw) ? raw : undefined),
    String,
  ),
  lastLoginMode: own(word("lastLoginMode", ["password", "token"], "password")),
  pendingEmailRequest: json<PendingRequest | null>("pendingEmailRequest", null, isPending),
  /** When an activation code may be sent again, in milliseconds since 1970; 0: never sent. */
  activationResendTime: json("activationResendTime", 0, isNumber as (value: unknown) => value is number),
  mode: own(word<Mode>("mode", ["user", "investor", "partner"], "user")),
  selectedSite: own(text("selectedSite")),
  lastSiteInput: text("lastSiteInput"),
  activeTab: own(word("activeTab", ["activations", "history"], "activations")),
  /** The last tab and language of the editor (spec O §2, §3). */
  adminTab: own(word("adminTab", ["stories", "news"], "stories")),
  activeLang: own(word("activeLang", languageCodes, defaultLanguage)),
  fullCurrentPage: own(json("fullCurrentPage", 1, isNumber as (value: unknown) => value is number)),
  maxFullPageSeen: own(json("maxFullPageSeen", 1, isNumber as (value: unknown) => value is number)),
  showToken: json("showToken", false, isFlag as (value: unknown) => value is boolean),
  showSubject: own(json("showSubject", false, isFlag as (value: unknown) => value is boolean)),
  subject: own(text("subject")),
  customSubjects: json<string[]>("customSubjects", [], isWords),
  customRegexPresets: json<string[]>("customRegexPresets", [], isWords),
  /** Ids of stories opened in this browser (spec O §3). */
  viewedStories: json<string[]>("viewedStories", [], isWords),
  /** Not in the specification: whether this browser has signed in before. */
  hasAccount: json("hasAccount", false, isFlag as (value: unknown) => value is boolean),
  buysWhenPaid: json("buysWhenPaid", true, isFlag as (value: unknown) => value is boolean),
  waitingPurchase: json<WaitingPurchase | null>("waitingPurchase", null, isWaitingPurchase),
  /** The sort of the mail types. */
  offerOrder: word("offerOrder", ["price", "letter"], "price"),
  /** Not in the specification, like all below: the last mail type for each site. */
  mailTypes: own(json<Record<string, string>>("mailTypes", {}, isTextMap)),
  /** The height of the mail types in pixels; 0: unknown. */
  offersHeight: json("offersHeight", 0, isNumber as (value: unknown) => value is number),
  /** Whether the list last had a full page of orders. */
  longList: json("longList", false, isFlag as (value: unknown) => value is boolean),
  hints: json<Hints>("hints", { sound: false, notification: false, code: false, title: true }, isHints),
  shortcuts: json("shortcuts", true, isFlag as (value: unknown) => value is boolean),
  /** Whether a letter is read beside the list, where there is room, in place of a dialog. */
  letterBeside: json("letterBeside", false, isFlag as (value: unknown) => value is boolean),
  theme: word("theme", ["system", "light", "dark"], "system"),
  /** Not in the specification: the language of the samples. */
  sampleLanguage: word("sampleLanguage", ["curl", "javascript", "typescript", "python", "go", "php"], "curl"),
} as const;

/** Choices for this browser, whoever uses it. All else tells of a person, and goes when the person signs out. */
const ofBrowser: ReadonlySet<string> = new Set(
  [
    stored.language,
    stored.theme,
    stored.lastLoginMode,
    stored.hasAccount,
    stored.hints,
    stored.shortcuts,
    stored.sampleLanguage,
    stored.offerOrder,
    stored.buysWhenPaid,
    stored.letterBeside,
  ].map(({ key }) => key),
);

/** What must be there again once a browser has cleared its storage: choices, and what is written meanwhile. */
const restoring = new Set<Map<string, string | null>>();

/**
 * Removes what tells of the person. The answer to the sign-out makes the browser clear the rest too: the function that this returns
 * then puts back what should be there.
 */
export function forgetPerson(): () => void {
  for (const item of Object.values(stored)) if (!ofBrowser.has(item.key)) item.remove();
  const kept = new Map<string, string | null>([...ofBrowser].map((key) => [key, rawOf(key)]));
  restoring.add(kept);
  return () => {
    restoring.delete(kept);
    for (const [key, raw] of kept) if (raw !== null && rawOf(key) === null) keep(key, raw);
    tell();
  };
}

/** The stored value and its setter; follows other tabs unless made by `own`. Server and hydration use the default. */
export function useStored<Value>(item: Stored<Value>): [Value, (value: Value) => void] {
  const value = useSyncExternalStore(subscribe, item.read, () => item.fallback);
  return [value, item.write];
}

function entry<Value>(
  key: string,
  fallback: Value,
  parse: (raw: string) => Value | undefined,
  format: (value: Value) => string,
): Stored<Value> {
  // React compares by identity: the same text must yield the same object.
  let last: { raw: string | null; value: Value } = { raw: null, value: fallback };
  const read = () => {
    const raw = rawOf(key);
    if (raw !== last.raw) last = { raw, value: raw === null ? fallback : (attempt(parse, raw) ?? fallback) };
    return last.value;
  };
  const write = (value: Value) => {
    keep(key, format(value));
    tell();
  };
  const remove = () => {
    for (const kept of restoring) kept.delete(key);
    unstored.delete(key);
    inStorage((storage) => storage.removeItem(key));
    tell();
  };
  return { key, fallback, read, write, remove };
}

function rawOf(key: string): string | null {
  return unstored.get(key) ?? inStorage((storage) => storage.getItem(key)) ?? null;
}

/** Memory takes what the storage does not; an older value would come back later, so it goes. */
function keep(key: string, raw: string): void {
  for (const kept of restoring) kept.set(key, raw);
  const isStored = inStorage((storage) => {
    storage.setItem(key, raw);
    return true;
  });
  if (isStored) return void unstored.delete(key);
  unstored.set(key, raw);
  inStorage((storage) => storage.removeItem(key));
}

/** Undefined where the storage is blocked or full: nothing that a visitor does may fail for that. */
function inStorage<Result>(act: (storage: Storage) => Result): Result | undefined {
  try {
    return act(localStorage);
  } catch {
    isStorageLost = true;
    return undefined;
  }
}

/** Whether something was not stored since the page was loaded. */
export const useStorageLost = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => isStorageLost,
    () => false,
  );

/** Whether another tab can read the value. */
export const isShared = ({ key }: Pick<Stored<unknown>, "key">): boolean => !unstored.has(key);

/** An unreadable value (older version, other program) counts as absent; only a saved choice is lost. */
function attempt<Value>(parse: (raw: string) => Value | undefined, raw: string): Value | undefined {
  try {
    return parse(raw);
  } catch {
    return undefined;
  }
}

function tell() {
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  if (listeners.size === 0) addEventListener("storage", hearOtherTabs);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) removeEventListener("storage", hearOtherTabs);
  };
}

/** What another tab stores counts more than what this one could not store. */
export function hearOtherTabs({ key }: StorageEvent) {
  if (key === null) unstored.clear();
  else unstored.delete(key);
  tell();
}
