import type { Options } from "../api.ts";
import { stored } from "../stored.ts";

/**
 * The session's token, by name: a refusal is then report where one writes, and does not end the session and throw away with the
 * page what was written.
 */
export const asAdministrator = (): Options => ({ token: stored.authToken.read() });
