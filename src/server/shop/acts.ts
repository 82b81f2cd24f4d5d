// The commands of the acts of the back office, made from their declarations. A command that is written by hand goes before.
import { readFileSync } from "node:fs";
import { type Command, InvalidArgumentError, Option } from "commander";
import { type Act as OfficeAct, type Command as Line, wordsOf } from "../../contract/office/act.ts";
import { type ActWords, acts } from "../../contract/office/acts.ts";
import type { Field } from "../../contract/endpoint.ts";
import { type Refusal, refusals } from "../../contract/refusals.ts";
import * as catalog from "../catalog/catalog.ts";
import * as imap from "../imap/imap.ts";
import * as ledger from "../ledger/ledger.ts";
import { type ActServices, doersOf, type Who } from "../office/office.ts";
import { deliver, waiting } from "../orders/orders.ts";
import { openWithdrawals } from "../withdrawals/withdrawals.ts";
import { openPartners } from "../partners/partners.ts";
import { paymentsOf } from "../payments/payments.ts";
import { now } from "../platform/clock.ts";
import { Refused } from "../platform/http/answer.ts";
import { showIds } from "../platform/http/shown-ids.ts";
import { idsOf } from "../platform/ids.ts";
import { showUsd } from "../platform/money.ts";
import type { Seal } from "../platform/seal.ts";
import { anotherKey, sealBeside } from "../platform/secret-key.ts";
import * as users from "../users/users.ts";
import {
  type Act,
  type Answer,
  type CommandContext,
  ok,
  operator,
  refused,
  showCount,
  showTime,
} from "./answer.ts";
import { loadLetters } from "./letters.ts";
import type { Nouns } from "./nouns.ts";
import { readAmount, readCount, readHostPort, readId, readMoment, readPrice } from "./read.ts";

type Words = Readonly<Record<string, string>>;
type Values = Readonly<Record<string, unknown>>;

export function addActCommands(nouns: Nouns): void {
  for (const act of Object.values(acts) as OfficeAct[])
    for (const [line, wording] of Object.entries(act.commands)) {
      const [noun = "", ...verbs] = wordsOf(line).split(" ");
      const verb = verbs.pop() ?? "";
      let under = nouns.program.commands.find((one) => one.name() === noun) ?? nouns.noun(noun, "");
      for (const word of verbs) under = nouns.group(under, word);
      if (!under.commands.some((one) => one.name() === verb))
        addCommand(nouns, under, { act, line, wording });
    }
}

interface Declared {
  readonly act: OfficeAct;
  readonly line: string;
  readonly wording: Line;
}

function addCommand({ verb }: Nouns, under: Command, declared: Declared): void {
  const { act, line, wording } = declared;
  const names = [...line.matchAll(/<(\w+)/g)].map(([, name = ""]) => name);
  const options = optionsOf(declared, names);
  const command: Command = verb(
    under,
    line.slice(wordsOf(line).lastIndexOf(" ") + 1),
    wording.about,
    (...given: unknown[]) => {
      const opts = given[names.length] as Values;
      const chosen = options.filter(({ option }) => opts[option.attributeName()] !== undefined);
      if (names.length + chosen.length === 1 && act.refusals.includes("nothing to change"))
        command.error(
          `error: nothing to change: give ${options.map(({ option }) => option.long).join(", ")}`,
        );
      const typed = [
        ...names.map((name, place) => [name, [given[place]].flat().join(",")] as const),
        ...chosen.map(
          ({ option, name, value }) => [name, value ?? String(opts[option.attributeName()])] as const,
        ),
      ];
      // `credit --locked`, and never `reject --locked`.
      for (const { option, name, value = "" } of chosen)
        if (names.includes(name) && !value.startsWith(String(given[names.indexOf(name)])))
          command.error(`error: ${option.long} does not go with ${String(given[names.indexOf(name)])}`);
      const words = typed.map(([name, text]) => [name, read(act, name, text)] as const);
      return perform(declared, { ...wording.usually, ...Object.fromEntries(words), ...wording.sets }, names);
    },
  );
  for (const { option } of options) command.addOption(option);
}

interface Choosing {
  readonly option: Option;
  readonly name: string;
  /** Of an option that is a word alone. */
  readonly value?: string;
}

/** Options that are a word alone, by the parameter that they set. */
const flags: Readonly<Record<string, readonly (readonly [word: string, value: string, about: string])[]>> = {
  on: [
    ["--on", "1", "puts it on sale again"],
    ["--off", "0", "takes it off sale; open orders still get their letters"],
  ],
  known_ca: [["--known-ca", "1", "trusts the known authorities again"]],
  verdict: [["--locked", "credit_locked", "credits at the locked rate, even if it came late"]],
};
const conflicts: Readonly<Record<string, string>> = { "--on": "off", "--known-ca": "ca" };

/** For each parameter that neither the words nor the arguments say. */
function optionsOf({ act, wording }: Declared, names: readonly string[]): Choosing[] {
  return Object.entries(act.ask).flatMap(([name, field]): Choosing[] => {
    const isArgument = names.includes(name);
    const ofFlags = (flags[name] ?? []).map(([word, value, about]) => {
      const option = new Option(word, about);
      const other = conflicts[word];
      return { option: other === undefined ? option : option.conflicts(other), name, value };
    });
    if (isArgument || ofFlags.length > 0 || wording.sets?.[name] !== undefined) return ofFlags;
    const word = (wording.called?.[name] ?? name).replaceAll("_", "-");
    const usual = wording.usually?.[name];
    const mayLack = field.optional || name === "key" || (name === "reason" && act.reason !== "always");
    const option = new Option(`--${word} <${holder(field)}>`, field.summary);
    if (field.form.kind === "choice") option.choices(field.form.of);
    if (usual !== undefined) option.default(usual);
    else if (!mayLack) option.makeOptionMandatory();
    return [{ option, name }];
  });
}

const holder = ({ form, refusal }: Field) =>
  refusal === "ca"
    ? "file"
    : form.kind === "time"
      ? "time"
      : form.kind === "dollars"
        ? "usd"
        : form.kind === "whole"
          ? "count"
          : "text";

/** A command may order more than a call. */
const stockMax = 10_000_000;

const aliases: Words = { referral: "referrals" };

/** Checks a word, and gives it as the call would take it. */
function read(act: OfficeAct, name: string, typed: string): string {
  const field = act.ask[name];
  if (!field) throw new Error(`${act.name} has no parameter ${name}`);
  const { form, refusal } = field;
  const text = aliases[typed] ?? typed;
  if (refusal === "ca") return certificatesIn(text);
  if (refusal === "imap") readHostPort(text);
  if (form.kind === "dollars") void (form.min === undefined ? readPrice : readAmount)(text);
  if (form.kind === "time") return readMoment(text);
  if (form.kind === "id" && form.names !== "account") readId(text);
  if (form.kind === "whole") return String(readCount(name === "count" ? stockMax : form.max)(text));
  if (form.kind === "choice") {
    const known = form.of.find((one) => one.toLowerCase() === text.toLowerCase());
    if (known !== undefined) return known;
    throw new InvalidArgumentError(`"${typed}" is no ${name}: there are ${form.of.join(", ")}.`);
  }
  if (form.kind !== "id" && !field.schema.safeParse(text).success)
    throw new InvalidArgumentError(refusals[refusal]);
  return text;
}

function certificatesIn(path: string): string {
  const wrong = new InvalidArgumentError("A file with certificates in PEM is expected.");
  try {
    const certificates = imap.readCertificates(readFileSync(path, "utf8"));
    if (certificates !== undefined) return certificates;
  } catch (cause) {
    wrong.cause = cause;
  }
  throw wrong;
}

type Doer = (asked: Values, who: Who) => Promise<Refusal | Values | Refused>;

function perform({ act, line, wording }: Declared, words: Words, names: readonly string[]): Act {
  return async (context) => {
    const { db, progress } = context;
    const ids = idsOf(db);
    const asked: Record<string, unknown> = {};
    const entered: Record<string, unknown> = {};
    for (const [name, { schema, form }] of Object.entries(act.ask)) {
      const text = words[name];
      if (text === undefined) continue;
      entered[name] = text;
      if (form.kind !== "id")
        entered[name] = asked[name] = name === "count" ? Number(text) : schema.parse(text);
      else if (form.names !== "account") asked[name] = ids.read(BigInt(text));
      else {
        const user = await users.find(db, text);
        if (!user) return refused(`There is no account with the email address ${text}.`);
        asked[name] = user.id;
        entered[name] = user.email;
        if (name === names[0]) Object.assign(entered, { id: user.id, email: user.email });
      }
    }
    const who = {
      actor: operator,
      by: operator,
      progress: (done: number, of: string) =>
        progress(`${of}: ${showCount(done)} of ${showCount(Number(asked["count"]))} mailboxes`),
    } as const;
    const doers = doersOf(servicesOf(context)) as unknown as Record<string, Doer>;
    const done = await doers[act.name]?.(asked, who);
    if (typeof done === "string" || done instanceof Refused || done === undefined)
      return refusedBy(done, { subject: subjectOf(entered[names[0] ?? ""]), asked, entered, context });
    const outcome: Values = { ...entered, ...showIds(act.reply, done, ids) };
    const { reason: _reason, note: _note, ...json } = outcome;
    return ok(json, sentenceOf(wording, { line, names, outcome }));
  };
}

interface Tried {
  readonly subject: string;
  readonly asked: Values;
  readonly entered: Values;
  readonly context: CommandContext;
}

/** "#5" of a number. */
const subjectOf = (value: unknown) => String(value).replace(/^\d+$/, "#$&");

/** Where the contract's sentence is for whoever owns the thing. */
const sentences: Partial<Record<Refusal, string>> = {
  "no payment": 'There is no such payment; "payments list" shows those that are.',
  "no review": 'The payment is not under review; "payments show" shows its state.',
  "account not activated": "The account is not activated yet: it needs the code of the mail.",
};

const lacking: Partial<Record<Refusal, string>> = {
  "more than there is": "dollars",
  "more than due": "dollars to withdraw",
};

/** The sentence of the contract, with what it is about. */
async function refusedBy(done: Refusal | Refused | undefined, tried: Tried): Promise<Answer> {
  const { subject, asked, entered, context } = tried;
  const { value, extras } = done instanceof Refused ? done : { value: done ?? "request", extras: {} };
  const of = lacking[value as Refusal];
  if (of !== undefined) {
    const book = (asked["book"] ?? asked["way"] ?? "balance") as ledger.Book;
    const has = showUsd(await ledger.balance(context.db, BigInt(String(entered["id"])), book));
    return refused(`${subject} has only ${has} ${of}.`);
  }
  const until = extras["until"];
  const rest = typeof until === "number" ? ` Until ${showTime(new Date(until * 1000))}.` : "";
  const says = sentences[value as Refusal] ?? refusals[value as Refusal];
  return refused(`${shown(extras["domain"] ?? subject)}: ${says}${rest}`);
}

interface Outcome {
  readonly line: string;
  readonly names: readonly string[];
  readonly outcome: Values;
}

function sentenceOf({ done, undo }: Line, { line, names, outcome }: Outcome): string {
  const warnings = warningsOf(outcome["shared"] as Shared | undefined);
  if (outcome["repeated"] === true)
    return `This was done before under the key ${String(outcome["key"])}, and nothing is changed now.`;
  const sentence = typeof done === "string" ? done : (done[shown(outcome["state"])] ?? "");
  const text = sentence.replace(/\{(\w+)\}/g, (_hole, name: string) => shown(outcome[name]));
  const words = names.map((name) => shown(outcome[name]));
  const opposite = wordsOf(line) === "users credit" ? creditBack(outcome) : undoing(line, undo, words);
  return [text, ...warnings, ...opposite].join("\n");
}

function shown(value: unknown): string {
  if (typeof value === "boolean") return value ? "on" : "off";
  if (typeof value === "number") return showCount(value);
  return Array.isArray(value) ? value.join(", ") : String((value ?? "") as string);
}

const undoing = (line: string, undo: Line["undo"], words: readonly string[]) =>
  undo === false || undo === wordsOf(line) || undo === "domains set" || undo === "prices undo"
    ? []
    : [`To undo it: ${[undo satisfies string as ActWords, ...words].join(" ")}`];

function creditBack(outcome: Values): string[] {
  const [amount, book] = [shown(outcome["amount"]), shown(outcome["book"])];
  const opposite = amount.startsWith("-") ? amount.slice(1) : `-${amount}`;
  return [
    `To undo it: users credit ${shown(outcome["user"])} ${opposite} --book ${book} --reason "a mistake"`,
  ];
}

type Shared = readonly { readonly domain: string; readonly sites: readonly string[] }[];

const warningsOf = (shared: Shared = []) =>
  shared.map(
    ({ domain, sites }) =>
      `Warning: letters from ${domain} are for ${sites.join(", ")} as well. Of buyers who share a mailbox, one for each site, both get them.`,
  );

/** What the acts ask of the shop, each opened when it is needed: a running shop notices the changes by itself. */
function servicesOf(context: CommandContext): ActServices {
  const { db, config } = context;
  return {
    db,
    sealOf: () => ownSeal(context),
    letters: { deliverUnclaimed: (ask) => deliverUnclaimed(context, ask) },
    partners: openPartners({ db, publicUrl: config.publicUrl }),
    get payments() {
      return paymentsOf(context);
    },
    get withdrawals() {
      return openWithdrawals({
        db,
        sealOf: () => ownSeal(context),
        payouts: paymentsOf(context).payouts,
        isOffered: config.withdrawals === "on",
        limits: config.withdrawalLimits,
      });
    },
    users: {
      setBlock: (wanted, actor) => users.setBlock(db, wanted, actor),
      adjust: (wanted, actor) => users.adjust(db, wanted, actor),
      setGrant: async (wanted, actor) => users.setGrant(db, wanted, actor, { seal: await ownSeal(context) }),
      resetAccess: async (wanted) => {
        const { expel } = await import("../services.ts");
        return users.resetAccess({ db, seal: await ownSeal(context), expel }, wanted, now());
      },
      factors: {
        reset: async (wanted, actor, at) =>
          users.resetFactors({ db, seal: await ownSeal(context) }, wanted, actor, at),
      },
    },
  };
}

/** The mail to an owner is sealed. */
async function ownSeal({ db, config }: CommandContext): Promise<Seal> {
  const seal = await sealBeside(db, config);
  if (!seal) throw new Error(anotherKey);
  return seal;
}

/** Delivers unclaimed letters that match the site now, like the running shop. */
async function deliverUnclaimed(
  { db, log, config }: CommandContext,
  ask: Parameters<ActServices["letters"]["deliverUnclaimed"]>[0],
) {
  const { openLetters } = await loadLetters();
  const remembered = await catalog.openCatalog(db);
  const { sendersOf, shunnedSenders } = remembered;
  const keepDays = config.letterKeepDays;
  const letters = openLetters(db, { waiting, deliver, sendersOf, shunnedSenders, log, keepDays });
  try {
    return await letters.deliverUnclaimed(ask);
  } finally {
    await letters.close();
    await remembered.close();
  }
}
