import { isIP } from "node:net";

/** A setting is wrong. The message is a sentence for the operator that names the setting. */
export class ConfigError extends Error {
  override name = "ConfigError";
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** Undefined when unset, empty or blank. */
export function text(env: Environment, name: string): string | undefined {
  const value = env[name]?.trim();
  return value === undefined || value === "" ? undefined : value;
}

export function choice<Word extends string>(
  env: Environment,
  name: string,
  words: readonly Word[],
): Word | undefined {
  const value = text(env, name);
  if (value === undefined) return undefined;
  const found = words.find((word) => word === value);
  if (found === undefined)
    throw new ConfigError(`${name} is "${value}" but must be one of ${words.join(", ")}.`);
  return found;
}

export function flag(env: Environment, name: string): boolean | undefined {
  const value = choice(env, name, ["true", "false"]);
  return value === undefined ? undefined : value === "true";
}

export function whole(
  env: Environment,
  name: string,
  { min, max }: { min: number; max: number },
): number | undefined {
  const value = text(env, name);
  if (value === undefined) return undefined;
  const number = Number(value);
  if (!/^\d+$/.test(value) || number < min || number > max)
    throw new ConfigError(`${name} is "${value}" but must be a whole number from ${min} to ${max}.`);
  return number;
}

export function port(env: Environment, name: string): number | undefined {
  return whole(env, name, { min: 1, max: 65_535 });
}

export function host(env: Environment, name: string): string | undefined {
  const value = text(env, name);
  if (value === undefined || isIP(value) !== 0) return value;
  if (!/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(value) || /^[\d.]+$/.test(value))
    throw new ConfigError(`${name} is "${value}" but must be a host name or an IP address.`);
  return value;
}

/** The message never repeats the URL, which may carry a password. */
export function url(env: Environment, name: string, schemes: readonly string[]): URL | undefined {
  const value = text(env, name);
  return value === undefined ? undefined : parseUrl(name, value, schemes);
}

export function urls(env: Environment, name: string, schemes: readonly string[]): string[] {
  return list(env, name).map((item) => parseUrl(name, item, schemes).href);
}

/** A comma-separated list; empty items are dropped. */
export function list(env: Environment, name: string): string[] {
  return (text(env, name) ?? "")
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
}

/** `form` completes the message "must be …". */
export function shaped(env: Environment, name: string, pattern: RegExp, form: string): string | undefined {
  const value = text(env, name);
  if (value !== undefined && !pattern.test(value)) throw new ConfigError(`${name} must be ${form}.`);
  return value;
}

/** Refuses unknown settings that start with `prefix`: typing errors. */
export function refuseUnknown(env: Environment, prefix: string, known: readonly string[]): void {
  const unknown = Object.keys(env).find((name) => name.startsWith(prefix) && !known.includes(name));
  if (unknown !== undefined)
    throw new ConfigError(
      `${unknown} is not a setting; those that start with ${prefix} are ${known.join(", ")}.`,
    );
}

export function parseUrl(name: string, value: string, schemes: readonly string[]): URL {
  const parsed = URL.parse(value);
  if (!parsed || !schemes.includes(parsed.protocol.slice(0, -1)) || parsed.hostname === "")
    throw new ConfigError(
      `${name} must be a URL that starts with ${schemes.map((s) => `${s}://`).join(" or ")}.`,
    );
  return parsed;
}
