// The parameters of the acts, and whose work each is, as data. The build puts the finished table in place of this file (vite.config.ts), so that no page loads the schemas.
import { type Act, wordsOf } from "../../../contract/office/act.ts";
import { type ActName, acts } from "../../../contract/office/acts.ts";
import type { Field } from "../../../contract/endpoint.ts";

export interface ActField extends Pick<Field, "form" | "optional" | "refusal"> {
  readonly name: string;
}

export const actForms = Object.fromEntries(
  Object.values(acts).map((act: Act) => [
    act.name,
    Object.entries(act.ask).map(([name, { form, optional, refusal }]) => ({ name, form, optional, refusal })),
  ]),
) as unknown as Readonly<Record<ActName, readonly ActField[]>>;

export const actRoles = Object.fromEntries(
  Object.values(acts).map(({ name, role }: Act) => [name, role]),
) as Readonly<Record<ActName, Act["role"]>>;

/** The last words of each act's commands: "credit" of "users credit". */
export const actWords = Object.fromEntries(
  Object.values(acts).map(({ name, commands }: Act) => [
    name,
    Object.keys(commands).map((line) => wordsOf(line).split(" ").at(-1) ?? ""),
  ]),
) as unknown as Readonly<Record<ActName, readonly string[]>>;
