// The JSON schemas of the contract's shapes, those with a name in one place.
import * as z from "zod/mini";
import type { Refusal } from "../../../contract/refusals.ts";
import { LowBalance } from "../../../contract/account/low-balance.ts";
import { Backorder } from "../../../contract/orders/backorders.ts";
import { Offer } from "../../../contract/catalog.ts";
import { InvestorBatch } from "../../../contract/investors.ts";
import { NewsItem, WrittenNews } from "../../../contract/news.ts";
import {
  Activation,
  Attachment,
  HistoryItem,
  Ordered,
  OrderedList,
  ReadLetter,
} from "../../../contract/orders.ts";
import { EarningsDay, ReferralEarnings, SoftEarnings } from "../../../contract/partners.ts";
import { CurrencyOnSale, ListedPayment, PaymentState, PaymentTransfer } from "../../../contract/payments.ts";
import { StatementLine } from "../../../contract/statement.ts";
import { Story } from "../../../contract/stories.ts";
import { TimelineStep } from "../../../contract/orders/timeline.ts";
import { LimitedToken } from "../../../contract/tokens.ts";
import { UserInformation } from "../../../contract/users.ts";
import { Webhook, WebhookDelivery } from "../../../contract/webhooks.ts";

/** The shapes of the API that programs handle, by the names that they have in openapi.json. */
const schemas: Readonly<Record<string, z.ZodMiniType>> = {
  Activation,
  Attachment,
  Backorder,
  Currency: CurrencyOnSale,
  EarningsDay,
  HistoryItem,
  InvestorBatch,
  Letter: ReadLetter,
  LimitedToken,
  ListedPayment,
  LowBalance,
  NewsItem,
  Offer,
  Order: Ordered,
  OrderList: OrderedList,
  Payment: PaymentState,
  PaymentTransfer,
  ReferralEarnings,
  SoftEarnings,
  StatementLine,
  Story,
  TimelineStep,
  UserInformation,
  Webhook,
  WebhookDelivery,
  WrittenNews,
};

export type Json = Record<string, unknown>;

/** What several calls refer to, collected while they are described. */
export interface Parts {
  readonly schemas: Map<string, Json>;
  /** Without the `status` of the envelope. */
  readonly replies: Map<string, Json>;
  readonly responses: Map<string, Json>;
  readonly values: Set<Refusal>;
}

for (const [id, schema] of Object.entries(schemas))
  z.globalRegistry.add(schema, { ...z.globalRegistry.get(schema), id });

export const refTo = (kind: string, name: string): Json => ({ $ref: `#/components/${kind}/${name}` });

/** The JSON schema of a shape. Shapes with a name are put into `parts`, and referred to. */
export function schemaOf(schema: z.ZodMiniType, io: "input" | "output", parts?: Parts): Json {
  const made = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    override: ({ jsonSchema }) => {
      delete jsonSchema.id;
      // What a JSON number holds anyway.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      // Few languages support Unicode classes in patterns.
      const patterns = [jsonSchema.pattern, ...(jsonSchema.allOf ?? []).map(({ pattern }) => pattern)];
      if (!patterns.some((pattern) => /\\(?:p\{|0)/i.test(pattern ?? ""))) return;
      delete jsonSchema.pattern;
      delete jsonSchema.allOf;
    },
  });
  const text = JSON.stringify(made).replaceAll('"#/$defs/', '"#/components/schemas/');
  const {
    $schema: _dialect,
    $defs = {},
    ...rest
  } = JSON.parse(text) as Json & { $defs?: Record<string, Json> };
  for (const [name, definition] of Object.entries($defs)) parts?.schemas.set(name, definition);
  return rest;
}

const status: Json = { type: "string", const: "success" };

/** Adds the replies as schemas, with the `status` of the envelope. A shape that is used within others too stays without. */
export function addReplies({ schemas: named, replies }: Parts): void {
  const text = JSON.stringify([
    ...named.values(),
    ...[...replies.values()].map(({ $ref: _root, anyOf: _roots, ...rest }) => rest),
  ]);
  const isWithin = (name: string) => text.includes(`schemas/${name}"`);
  const withStatus = (schema: Json): Json => {
    const {
      $ref,
      anyOf,
      properties,
      required = [],
      ...rest
    } = schema as {
      $ref?: string;
      anyOf?: Json[];
      properties?: Json;
      required?: string[];
    };
    if (anyOf !== undefined) return { anyOf: anyOf.map(withStatus) };
    if ($ref === undefined)
      return { ...rest, properties: { status, ...properties }, required: ["status", ...required] };
    const name = $ref.split("/").at(-1) ?? "";
    const shape = named.get(name) ?? {};
    if (isWithin(name)) return withStatus(shape);
    if (!withEnvelope.has(name)) named.set(name, withStatus(shape));
    withEnvelope.add(name);
    return schema;
  };
  const withEnvelope = new Set<string>();
  for (const [name, reply] of replies) named.set(name, withStatus(reply));
}
