// What the owner of an account does with all of it: takes its data along, and closes it.
export { jsonOf } from "./owner.export.ts";
export { close, standingOf } from "./owner.close.ts";
