// Ids in answers: shown to clients under the numbers of `Ids`, wherever the contract has an id.
import type * as z from "zod/mini";
import { IdText } from "../../../contract/fields.ts";
import type { Ids } from "../ids.ts";

type Change = (value: never) => unknown;

const changes = new WeakMap<object, WeakMap<Ids, Change | "none">>();

/** The same answer with each id shown as `ids` says; changed in place. `shape` has been parsed. */
export function showIds<Answer>(shape: z.ZodMiniType, answer: Answer, ids: Ids): Answer {
  const known = changes.get(shape) ?? new WeakMap<Ids, Change | "none">();
  changes.set(shape, known);
  const change = known.get(ids) ?? changeOf(shape, ids) ?? "none";
  known.set(ids, change);
  return change === "none" ? answer : (change(answer as never) as Answer);
}

interface Definition {
  readonly type: string;
  readonly innerType?: z.ZodMiniType;
  readonly element?: z.ZodMiniType;
  readonly valueType?: z.ZodMiniType;
  readonly options?: readonly z.ZodMiniType[];
  readonly shape?: Readonly<Record<string, z.ZodMiniType>>;
}

/** Undefined: there is no id in it. */
function changeOf(shape: z.ZodMiniType, ids: Ids): Change | undefined {
  if (shape === IdText) return (id: string) => ids.show(id);
  const { innerType, element, valueType, options, shape: fields } = shape._zod.def as unknown as Definition;
  if (innerType) return ifPresent(changeOf(innerType, ids));
  if (element) return ofAll(changeOf(element, ids));
  if (fields) return ofFields(Object.entries(fields), ids);
  if (options) return ofOptions(options, ids);
  return valueType && ofValues(changeOf(valueType, ids));
}

const ifPresent = (change: Change | undefined): Change | undefined =>
  change && ((value: unknown) => (value === undefined || value === null ? value : change(value as never)));

const ofAll = (change: Change | undefined): Change | undefined =>
  change && ((list: unknown[]) => list.map((value) => change(value as never)));

const ofValues = (change: Change | undefined): Change | undefined =>
  change &&
  ((record: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value as never)])));

function ofFields(fields: readonly [string, z.ZodMiniType][], ids: Ids): Change | undefined {
  const own = fields.flatMap(([name, shape]) => {
    const change = changeOf(shape, ids);
    return change ? [[name, change] as const] : [];
  });
  if (own.length === 0) return undefined;
  return (record: Record<string, unknown>) => {
    for (const [name, change] of own) if (name in record) record[name] = change(record[name] as never);
    return record;
  };
}

/** The first shape that fits is the one. */
function ofOptions(options: readonly z.ZodMiniType[], ids: Ids): Change | undefined {
  const own = options.map((shape) => ({ fits: fitting(shape), change: changeOf(shape, ids) }));
  if (own.every(({ change }) => change === undefined)) return undefined;
  return (value: unknown) => {
    const change = own.find(({ fits }) => fits(value))?.change;
    return change ? change(value as never) : value;
  };
}

/** What was parsed already is told apart by its fields: to parse it again costs more than the rest of an answer. */
function fitting(shape: z.ZodMiniType): (value: unknown) => boolean {
  const { shape: fields } = shape._zod.def as unknown as Definition;
  if (!fields) return (value) => shape.safeParse(value).success;
  const needed = Object.keys(fields).filter((name) => fields[name]?._zod.def.type !== "optional");
  return (value) => typeof value === "object" && value !== null && needed.every((name) => name in value);
}
