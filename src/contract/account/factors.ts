// The second factor of an account: passkeys, an authenticator app, recovery codes. Beyond the specification.
import * as z from "zod/mini";
import { endpoint, withoutEdges } from "../endpoint.ts";
import { bounded, field, id, IdText, optional, textOf, UnixSeconds, wireId } from "../fields.ts";
import * as limits from "../limits.ts";

const kinds = ["passkey", "app"] as const;

export const FactorId = field(wireId, "no factor", "Id of the factor", id);
export const FactorName = field(
  bounded(limits.nameLengthMax).check(z.regex(/^\P{Cc}*$/u)),
  "name",
  "What the factor is, to tell it apart from others",
  textOf(limits.nameLengthMax),
);

const ticket = bounded(limits.ticketLength);
const ticketForm = textOf(limits.ticketLength);
const ticketSays = "The `ticket` of the answer that asked for it";
export const Ticket = field(ticket, "ticket", ticketSays, ticketForm);
export const TicketOptional = optional(ticket, "ticket", `${ticketSays}; with \`code\``, ticketForm);

export const AppCode = field(
  z.string().check(z.overwrite(withoutEdges), z.regex(/^[0-9]{6}$/)),
  "invalid code",
  "The six digits that the app shows",
  { kind: "digits", count: 6 },
);
export const FactorCode = optional(
  bounded(limits.factorCodeLengthMax),
  "invalid code",
  "The six digits that the app shows, or a recovery code",
  textOf(limits.factorCodeLengthMax),
);

const passkey = bounded(limits.passkeyLengthMax);
const passkeyForm = textOf(limits.passkeyLengthMax);
const passkeySays = "What the browser answered, as JSON (PublicKeyCredential.toJSON())";
export const NewPasskey = field(passkey, "invalid passkey", passkeySays, passkeyForm);
export const Passkey = optional(
  passkey,
  "invalid passkey",
  `${passkeySays}; instead of \`code\``,
  passkeyForm,
);

export const Factor = z.object({
  id: IdText,
  kind: z.literal(kinds),
  name: z.string(),
  created_at: UnixSeconds,
  used_at: z.optional(UnixSeconds),
});

/** For the browser's own functions, which check it. */
const Options = z.looseObject({ challenge: z.string() });
const Codes = z.array(z.string());

export const factors = endpoint({
  name: "factors",
  method: "GET",
  path: "/user/factors",
  access: "user",
  session: "begun",
  summary:
    "The passkeys and the authenticator app of the account, the oldest first, and how many recovery codes are left; passkeys: whether the shop’s address allows them; required: an administrator must have one",
  ask: {},
  reply: z.object({
    data: z.array(Factor),
    recovery_left: z.int(),
    passkeys: z.boolean(),
    required: z.boolean(),
  }),
});

export const beginPasskey = endpoint({
  name: "beginPasskey",
  method: "POST",
  path: "/user/factors/passkey/begin",
  access: "active",
  session: "proved",
  summary: "Begin to add a passkey: options for navigator.credentials.create(), good for five minutes",
  ask: {},
  reply: z.object({ options: Options }),
  refusals: ["no passkeys"],
});

export const addPasskey = endpoint({
  name: "addPasskey",
  method: "POST",
  path: "/user/factors/passkey/add",
  access: "active",
  session: "proved",
  summary: "Add the passkey that the browser made; with the first factor come ten recovery codes, shown once",
  ask: { name: FactorName, passkey: NewPasskey },
  reply: z.object({ data: Factor, recovery_codes: z.optional(Codes) }),
  refusals: ["name", "invalid passkey", "too many"],
});

export const beginApp = endpoint({
  name: "beginApp",
  method: "POST",
  path: "/user/factors/app/begin",
  access: "active",
  session: "proved",
  summary:
    "Begin to add an authenticator app (TOTP): a secret, and the address that the app reads from a QR code; good for five minutes",
  ask: {},
  reply: z.object({ secret: z.string(), uri: z.string(), ticket: z.string() }),
});

export const addApp = endpoint({
  name: "addApp",
  method: "POST",
  path: "/user/factors/app/add",
  access: "active",
  session: "proved",
  summary:
    "Add the authenticator app with a code that it shows; with the first factor come ten recovery codes, shown once",
  ask: { name: FactorName, ticket: Ticket, code: AppCode },
  reply: z.object({ data: Factor, recovery_codes: z.optional(Codes) }),
  refusals: ["name", "ticket", "invalid code", "too many"],
});

export const removeFactor = endpoint({
  name: "removeFactor",
  method: "POST",
  path: "/user/factors/remove",
  access: "user",
  session: "proved",
  caution: "ends",
  summary: "Remove a passkey or the authenticator app; with the last one the recovery codes end",
  ask: { id: FactorId },
  reply: z.object({}),
  refusals: ["no factor"],
});

export const newRecoveryCodes = endpoint({
  name: "newRecoveryCodes",
  method: "POST",
  path: "/user/factors/recovery",
  access: "active",
  session: "proved",
  caution: "ends",
  summary: "Make ten new recovery codes, shown once; those of before stop working",
  ask: {},
  reply: z.object({ recovery_codes: Codes }),
  refusals: ["no factor"],
});

export const askPasskey = endpoint({
  name: "askPasskey",
  method: "POST",
  path: "/user/authorize/passkey",
  access: "anyone",
  summary:
    "Begin to sign in without a password: options for navigator.credentials.get(), good for five minutes",
  ask: {},
  reply: z.object({ options: Options }),
  refusals: ["no passkeys"],
});

export const authorizeFactor = endpoint({
  name: "authorizeFactor",
  method: "POST",
  path: "/user/authorize/factor",
  access: "anyone",
  summary:
    "End a sign-in: with a code and the ticket that /user/authorize answered with `second factor`, or with a passkey alone; begins a session. A wrong code leaves the ticket as it is",
  ask: { ticket: TicketOptional, code: FactorCode, passkey: Passkey },
  reply: z.object({
    message: z.string(),
    data: z.object({ token: z.string() }),
    recovery_left: z.optional(z.int()),
  }),
  refusals: ["ticket", "invalid code", "invalid passkey"],
});
