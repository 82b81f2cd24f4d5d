/** A parameter of a tool as JSON Schema. */
export interface Parameter {
  type: "string" | "integer";
  description: string;
  maxLength?: number;
  pattern?: string;
  minimum?: number;
  maximum?: number;
}

/** Those of a call, by their names. */
export type Parameters = Readonly<Record<string, Parameter>>;
