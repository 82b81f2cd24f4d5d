// What goes over the wire to a node and comes back: its address and key, JSON without loss, the envelopes of JSON-RPC 2.0.

/** A node did not answer, answered with a fault, or says what cannot be: another one may know better. */
export class NodeTrouble extends Error {
  /** The status of HTTP or the code of JSON-RPC that it refused with, where it did. */
  readonly code: number | undefined;
  /** How long it wants to be left alone, where it said so. */
  readonly restMilliseconds: number | undefined;

  constructor(text: string, code?: number, restMilliseconds?: number) {
    super(text);
    this.code = code;
    this.restMilliseconds = restMilliseconds;
  }
}

export interface Call {
  readonly method: string;
  readonly params: readonly unknown[];
}

const textMax = 200;

/** As much of what a node said as is worth reading. */
export const brief = (text: string): string => text.slice(0, textMax);

/** A node's address, split into what is asked, what proves who asks, and what is never to be shown. */
export interface Place {
  readonly host: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The address for a path of the node's; a query in the operator's address stays in each. */
  at(path: string): string;
  /** A text without the keys: nodes repeat in their refusals what they were asked with. */
  hide(text: string): string;
}

/** Reads an address; a key before the host goes into `keyHeader`, or is a bearer token, or with a password basic authentication. */
export function readPlace(text: string, keyHeader: string | undefined): Place {
  const url = new URL(text);
  const [user, password] = [decodeURIComponent(url.username), decodeURIComponent(url.password)];
  const secrets = [url.username, url.password, user, password];
  [url.username, url.password] = ["", ""];
  const headers = keyOf(user, password, keyHeader);
  secrets.push(
    ...Object.values(headers),
    ...Object.values(headers).map((value) => value.split(" ").at(-1) ?? ""),
  );
  secrets.push(
    ...url.pathname.split("/").flatMap(asKey),
    ...url.search.slice(1).split(/[&=]/).flatMap(asKey),
  );
  secrets.push(...[...url.searchParams.values()].flatMap(asKey));
  const hidden = [...new Set(secrets)].filter((secret) => secret !== "").toSorted(byLength);
  return {
    host: url.host,
    headers,
    at: (path) => {
      const [way = "", query] = path.split("?");
      const whole = new URL(url);
      if (way !== "") whole.pathname = url.pathname.replace(/\/$/, "") + way;
      whole.search = [url.search.slice(1), query].filter(Boolean).join("&");
      return whole.href;
    },
    hide: (said) => hidden.reduce((left, secret) => left.replaceAll(secret, "…"), said),
  };
}

function keyOf(user: string, password: string, keyHeader: string | undefined): Record<string, string> {
  if (user === "" && password === "") return {};
  if (password !== "")
    return { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}` };
  return keyHeader === undefined ? { authorization: `Bearer ${user}` } : { [keyHeader]: user };
}

// Shorter parts of an address are words like v3 or jsonrpc: no key, and hiding them would spoil every sentence.
const asKey = (part: string) => (part.length < 8 ? [] : [part, decodeURIComponent(part)]);

const byLength = (one: string, other: string) => other.length - one.length;

/**
 * Reads JSON without the loss of a floating point number: an integer that a number cannot hold becomes a bigint, a number
 * with a fraction stays the text that it was sent as. Undefined when it is no JSON.
 */
export function readExactly(text: string): unknown {
  const exactly = (_key: string, value: unknown, { source }: { source?: string } = {}) => {
    if (typeof value !== "number" || source === undefined) return value;
    const isWhole = /^-?\d+$/.test(source);
    if (isWhole && Number.isSafeInteger(value)) return value;
    return isWhole ? BigInt(source) : source;
  };
  try {
    return JSON.parse(text, exactly);
  } catch {
    return undefined;
  }
}

/** Whether it is an answer of JSON-RPC that says an error; nodes send those with any status. */
export const isRpcError = (said: unknown): boolean =>
  typeof said === "object" && said !== null && "error" in said && "id" in said && said.error !== null;

/** The answer to a call of a batch; answers come in any order. */
export function answerTo(said: readonly unknown[], id: number): unknown {
  return said.find((one) => typeof one === "object" && one !== null && "id" in one && one.id === id);
}

/** What a call resulted in. Throws NodeTrouble, made by `trouble`, when it was refused or not answered. */
export function resultOf(
  said: unknown,
  method: string,
  trouble: (text: string, code?: number) => NodeTrouble,
): unknown {
  const { result, error } = (said ?? {}) as { result?: unknown; error?: unknown };
  if (error !== undefined && error !== null) {
    const { code, message } = error as { code?: unknown; message?: unknown };
    const why = typeof message === "string" ? message : JSON.stringify(error);
    const number = typeof code === "number" ? code : undefined;
    throw trouble(`${method} is refused: ${number ?? ""} ${brief(why)}`, number);
  }
  if (result === undefined) throw trouble(`${method} is not answered`);
  return result;
}

/** Why a request found no answer, in the fewest words. */
export function reasonOf(fault: unknown): string {
  const { name, message, cause } = fault as Error & { cause?: { code?: string; message?: string } };
  return cause?.code ?? cause?.message ?? (name === "TimeoutError" ? "too slow" : message);
}
