// The documented calls as data. The build puts the finished table in place of this file (vite.config.ts), so that no page loads the schemas.
import { type Endpoints, endpoints, parameterName } from "../../contract/api.ts";
import { type Endpoint, type Form, headerOf, type RefusalOf } from "../../contract/endpoint.ts";
import { type DocumentedName, examples } from "../../contract/examples.ts";
import { askAgain, commonRefusals } from "../../contract/refusals.ts";
import type { DocsKey } from "../../i18n/t.ts";
import type { DocsPage } from "../paths.ts";
import { callTable } from "./callTable.ts";

export type DocumentedRefusal = RefusalOf<Endpoints[DocumentedName]> | (typeof commonRefusals)[number];

export interface Parameter {
  readonly text: DocsKey;
  readonly form: Form;
  readonly optional: boolean;
  /** Its name as a header, where it is one too. */
  readonly header?: string | undefined;
}

type Shown = "method" | "alsoPost" | "path" | "access" | "limited" | "caution" | "file" | "carried";

export interface DocumentedCall extends Pick<Endpoint, Shown> {
  readonly name: DocumentedName;
  /** Its anchor: for the calls of spec B §2 the name there, for others the words of the path. */
  readonly id: string;
  readonly page: DocsPage;
  readonly since: string;
  readonly ask: Readonly<Record<string, Parameter>>;
  readonly refusals: readonly DocumentedRefusal[];
  readonly example: { readonly ask: Readonly<Record<string, string>>; readonly reply: object };
}

const sections: Partial<Record<DocumentedName, string>> = {
  balance: "balance",
  quantity: "quantity",
  orderEmail: "order",
  getMessage: "getmessage",
  reorderEmail: "reorder",
  cancelEmail: "cancel",
  aggregators: "aggregators",
};

function documented(name: DocumentedName): DocumentedCall {
  const endpoint: Endpoint = endpoints[name];
  const { method, alsoPost, path, access, limited, caution, file, carried, refusals } = endpoint;
  const ask = Object.entries(endpoint.ask).map(([parameter, field]): [string, Parameter] => [
    parameter,
    {
      text: `docs.parameter.${parameterName(field)}`,
      form: field.form,
      optional: field.optional,
      header: headerOf(endpoint, parameter),
    },
  ]);
  return {
    name,
    id: sections[name] ?? (path.match(/[\w.]+/g) ?? []).join("-"),
    ...callTable[name],
    method,
    alsoPost,
    path,
    access,
    limited,
    caution,
    file,
    carried,
    ask: Object.fromEntries(ask),
    refusals: refusals as readonly DocumentedRefusal[],
    example: examples[name],
  } as DocumentedCall;
}

export const calls: readonly DocumentedCall[] = (Object.keys(callTable) as DocumentedName[]).map(documented);

/** Refusals of any call. */
export const common: readonly DocumentedRefusal[] = commonRefusals;

/** Whether a refusal may end by itself. */
export const again = Object.fromEntries(
  [...new Set([...calls.flatMap(({ refusals }) => refusals), ...commonRefusals])].map((value) => [
    value,
    askAgain[value] ?? "never",
  ]),
) as Readonly<Record<DocumentedRefusal, "soon" | "later" | "never">>;
