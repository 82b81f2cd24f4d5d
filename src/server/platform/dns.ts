// DNS queries with limits: letters of strangers cause them.
import { Resolver } from "node:dns/promises";
import type { DnsServers } from "./config/config.ts";

/** The records of one type; throws with the codes of node:dns. */
export type Ask = (name: string, type: string) => Promise<string[]>;

export interface Dns {
  /** For one purpose of one letter: a deadline (performance.now()) and a maximum of questions. */
  asker(until: number, questionsMax: number): Ask;
}

interface Answer {
  readonly records: Promise<unknown[] | string>;
  until: number;
}

export interface Patience {
  readonly timeout: number;
  readonly tries: number;
}

const usualPatience: Patience = { timeout: 1_000, tries: 2 };
// The resolver hides most TTLs, so answers are cached briefly.
const foundSeconds = 300;
const missingSeconds = 60;
const failedSeconds = 10;
const rememberedMax = 5_000;
const rememberedLengthMax = 4_096;
/** No honest record is longer. */
const lengthMax = 16_384;
const recordsMax = 100;

export function openDns(servers: DnsServers, patience = usualPatience): Dns {
  const resolver = new Resolver(patience);
  if (servers !== "system") resolver.setServers(servers);
  const remembered = new Map<string, Answer>();

  const ask = (name: string, type: string): Promise<unknown[] | string> => {
    const key = `${type} ${name.toLowerCase()}`;
    const known = remembered.get(key);
    if (known && known.until > performance.now()) return known.records;
    const answer: Answer = { records: look(resolver, name, type), until: Infinity };
    remembered.delete(key);
    remembered.set(key, answer);
    const [oldest] = remembered.keys();
    if (remembered.size > rememberedMax && oldest !== undefined) remembered.delete(oldest);
    void answer.records.then((records) => {
      answer.until = performance.now() + 1000 * secondsOf(records);
      if (typeof records !== "string" && lengthOf(records) > rememberedLengthMax) remembered.delete(key);
    });
    return answer.records;
  };

  return {
    asker(until, questionsMax) {
      let questions = 0;
      return async (name, type) => {
        if (++questions > questionsMax) throw tooMany();
        const records = await inTime(ask(name, type), until);
        if (typeof records === "string") throw failure(records);
        return [...records] as string[];
      };
    },
  };
}

/** The records, or an error code. Never rejects, because callers share the promise. */
async function look(resolver: Resolver, name: string, type: string): Promise<unknown[] | string> {
  try {
    const found = (await resolver.resolve(name, type)) as unknown[];
    return found.length > recordsMax || lengthOf(found) > lengthMax ? "ENODATA" : found;
  } catch (fault) {
    return (fault as NodeJS.ErrnoException).code ?? "EBADRESP";
  }
}

const lengthOf = (found: unknown) => JSON.stringify(found).length;

function secondsOf(records: unknown[] | string): number {
  if (typeof records !== "string") return foundSeconds;
  return records === "ENOTFOUND" || records === "ENODATA" ? missingSeconds : failedSeconds;
}

async function inTime<Answer>(answer: Promise<Answer>, until: number): Promise<Answer | "ETIMEOUT"> {
  const late = Promise.withResolvers<"ETIMEOUT">();
  const timer = setTimeout(() => late.resolve("ETIMEOUT"), Math.max(until - performance.now(), 0));
  return Promise.race([answer, late.promise]).finally(() => clearTimeout(timer));
}

const failure = (code: string) => Object.assign(new Error(`no answer: ${code}`), { code });

/** The library reads the SPF result from the error (RFC 7208 §4.6.4). */
const tooMany = () =>
  Object.assign(failure("ETOOMANY"), { spfResult: { error: "permerror", text: "too many questions" } });
