import { endpoints } from "../../../contract/api.ts";
import type { Form } from "../../../contract/endpoint.ts";

const fields = Object.values(endpoints).flatMap(({ ask }) => Object.entries(ask));
const names = new Set(["token", ...fields.map(([name]) => name)]);

/** Kinds of parameters without secrets or personal data. */
const plainKinds = new Set<Form["kind"]>([
  "whole",
  "time",
  "number",
  "choice",
  "choices",
  "id",
  "flag",
  "cursor",
]);
const shown = new Set([
  "site",
  "domain",
  ...fields.flatMap(([name, { form }]) => (plainKinds.has(form.kind) ? [name] : [])),
]);
const plainValue = /^[\w.,:-]{0,100}$/u;
/** A token, or a code that was mailed, in the place of another value. */
const secretLike = /[A-Za-z0-9]{32}|(?<!\d)\d{6}(?!\d)/;
/** By name: a value is shown only where a field of this name takes it. */
const schemas = Map.groupBy(fields, ([name]) => name);
const isTaken = (name: string, value: string) =>
  (schemas.get(name) ?? []).some(([, { schema }]) => schema.safeParse(value).success);

const segments = new Set(["", ...Object.values(endpoints).flatMap(({ path }) => path.split("/"))]);

/** Masks a URL for the log: a mistyped one may hold a secret anywhere, so only known parts are shown. */
export function maskUrl(address: string, route: string | undefined): string {
  const mark = address.indexOf("?");
  const path = mark < 0 ? address : address.slice(0, mark);
  const known = route ?? path.split("/").map(maskSegment).join("/");
  return mark < 0
    ? known
    : `${known}?${address
        .slice(mark + 1)
        .split("&")
        .map(maskPair)
        .join("&")}`;
}

const maskSegment = (segment: string) => (segments.has(segment) ? segment : "…");

function maskPair(pair: string): string {
  const end = pair.indexOf("=");
  const name = end < 0 ? pair : pair.slice(0, end);
  if (!names.has(name)) return "…";
  const value = pair.slice(name.length + 1);
  const isShown =
    shown.has(name) && plainValue.test(value) && !secretLike.test(value) && isTaken(name, value);
  return isShown ? pair : `${name}=…`;
}
