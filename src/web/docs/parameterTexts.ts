import type { Field } from "../../contract/endpoint.ts";
import * as fields from "../../contract/fields.ts";
import { BatchKey, RestrictedSites } from "../../contract/investors.ts";
import * as lists from "../../contract/lists.ts";
import { Amount, Wallet } from "../../contract/payments.ts";
import type { DocsKey } from "../../i18n/t.ts";

const named = { ...fields, ...lists, Wallet, Amount, RestrictedSites, BatchKey };
type Named = typeof named;
type FieldName = { [Name in keyof Named]: Named[Name] extends Field ? Name : never }[keyof Named];
type ParameterKey = `docs.parameter.${Uncapitalize<FieldName>}`;

const parameterKeys = new Map<unknown, DocsKey>(
  Object.entries(named).map(([name, field]): [unknown, DocsKey] => [
    field,
    `docs.parameter.${name.charAt(0).toLowerCase()}${name.slice(1)}` as ParameterKey,
  ]),
);

/** The meaning of a parameter. Keyed by the contract's field: one name may mean several things. */
export function parameterText(field: Field): DocsKey {
  const key = parameterKeys.get(field);
  if (key === undefined) throw new Error(`no text for a parameter: ${field.summary}`);
  return key;
}
