/** A node did not answer, failed, or contradicts itself: another one may know better. */
export class NodeTrouble extends Error {
  /** The HTTP status or JSON-RPC code of a refusal; 0 where it has none. Undefined: it did not refuse. */
  readonly code: number | undefined;
  /** How long the node asks to be left alone. */
  readonly restMilliseconds: number | undefined;
  /** How old its newest block is, where that is the trouble: the clock of this machine may be wrong. */
  readonly lateSeconds: number | undefined;

  constructor(text: string, code?: number, more: { restMilliseconds?: number; lateSeconds?: number } = {}) {
    super(text);
    this.code = code;
    this.restMilliseconds = more.restMilliseconds;
    this.lateSeconds = more.lateSeconds;
  }
}

export interface Call {
  readonly method: string;
  readonly params: readonly unknown[];
}

const textMax = 200;

export const brief = (text: string): string => text.slice(0, textMax);

export interface Place {
  readonly host: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The URL for a path of the node; keeps the query of the operator's URL. */
  at(path: string): string;
  /** Removes the keys from a text: nodes repeat requests in their refusals. */
  hide(text: string): string;
}

/** Reads a URL. Its key goes into `keyHeader`, or is a bearer token, or with a password basic authentication. */
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
    hide: (text) => hidden.reduce((left, secret) => left.replaceAll(secret, "…"), text),
  };
}

function keyOf(user: string, password: string, keyHeader: string | undefined): Record<string, string> {
  if (user === "" && password === "") return {};
  if (password !== "")
    return { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}` };
  return keyHeader === undefined ? { authorization: `Bearer ${user}` } : { [keyHeader]: user };
}

// Shorter parts are words like v3 or jsonrpc: hiding them would garble every message.
const asKey = (part: string) => (part.length < 8 ? [] : [part, decodeURIComponent(part)]);

const byLength = (one: string, other: string) => other.length - one.length;

/** Parses JSON without float loss: large integers become bigints, fractions text. Undefined when it is none. */
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

/** Nodes send JSON-RPC errors with any HTTP status. */
export const isRpcError = (answer: unknown): boolean =>
  typeof answer === "object" &&
  answer !== null &&
  "error" in answer &&
  "id" in answer &&
  answer.error !== null;

/** The answer to one call of a batch; some nodes return the ids as text. */
export function answerTo(answers: readonly unknown[], id: number): unknown {
  return answers.find(
    (one) => typeof one === "object" && one !== null && "id" in one && String(one.id) === String(id),
  );
}

/** A decimal number without its exponent; what is none stays as it is. */
export function plainDecimal(text: string): string {
  const [, whole = "", fraction = "", exponent] =
    /^(\d{1,30})(?:\.(\d{1,40}))?e([+-]?\d{1,2})$/i.exec(text.trim()) ?? [];
  if (exponent === undefined) return text;
  const places = fraction.length - Number(exponent);
  const digits = `${whole}${fraction}${"0".repeat(Math.max(0, -places))}`.padStart(places + 1, "0");
  return places <= 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

/** The result of a call. Throws NodeTrouble, made by `trouble`, when it was refused or not answered. */
export function resultOf(
  answer: unknown,
  method: string,
  trouble: (text: string, code?: number) => NodeTrouble,
): unknown {
  const { result, error } = (answer ?? {}) as { result?: unknown; error?: unknown };
  if (error !== undefined && error !== null) {
    const { code, message } = error as { code?: unknown; message?: unknown };
    const why = typeof message === "string" ? message : JSON.stringify(error);
    const number = typeof code === "number" ? code : 0;
    throw trouble(`${method} is refused: ${number === 0 ? "" : number} ${brief(why)}`, number);
  }
  if (result === undefined) throw trouble(`${method} is not answered`, 0);
  return result;
}

export function reasonOf(fault: unknown): string {
  const { name, message, cause } = fault as Error & { cause?: { code?: string; message?: string } };
  return cause?.code ?? cause?.message ?? (name === "TimeoutError" ? "too slow" : message);
}
