// Whence a call comes, in words: its network and its program.
import { isLocal, networkOf } from "../network-address.ts";
import type { RequestFacts } from "./answer.ts";

/** Whose call it was; what is missing is not told. */
export type From = Partial<Pick<RequestFacts, "address" | "userAgent">>;

export interface Place {
  readonly network?: string | undefined;
  readonly program?: string | undefined;
}

/** The network as limits count it; an address of the shop's own network says nothing. */
export function placeOf({ address, userAgent }: From): Place {
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
