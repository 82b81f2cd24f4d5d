// The parameters of the tools as the contract has them. The package gets the finished table instead (scripts/pack-client.ts).
import { endpoints } from "../../../contract/api.ts";
import type { Endpoint, Field, Form } from "../../../contract/endpoint.ts";
import type { Parameter, Parameters } from "./parameter.ts";

const calls = ["orderEmail", "getMessage", "reorderEmail", "cancelEmail", "quantity"] as const;

export const parameters = Object.fromEntries(calls.map((name) => [name, ofCall(endpoints[name])])) as Record<
  (typeof calls)[number],
  Parameters
>;

function ofCall({ ask }: Endpoint) {
  return Object.fromEntries(Object.entries(ask).map(([name, field]) => [name, parameterOf(field)]));
}

function parameterOf({ summary, form }: Field): Parameter {
  return { description: summary, ...shapeOf(form) };
}

function shapeOf(form: Form): Omit<Parameter, "description"> {
  if (form.kind === "id") return { type: "string", pattern: "^[0-9]{1,18}$" };
  if (form.kind === "whole") return { type: "integer", minimum: form.min, maximum: form.max };
  return { type: "string", ...("max" in form && { maxLength: form.max }) };
}
