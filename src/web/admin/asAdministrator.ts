import type { Options } from "../api.ts";
import { stored } from "../stored.ts";

/** Passes the token explicitly: a refusal appears beside the form and does not end the session, which would lose the draft. */
export const asAdministrator = (): Options => ({ token: stored.authToken.read() });
