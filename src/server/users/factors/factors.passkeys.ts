// Passkeys (WebAuthn). The library checks what a browser answers; which challenge it answers is ours to know.
import { isIP } from "node:net";
import type * as Library from "@simplewebauthn/server";
import { z } from "zod/mini";
import type { Log } from "../../platform/log.ts";
import type { Row } from "./factors.sql.ts";

/** Whose passkeys they are: browsers offer them at this origin alone. */
export interface Place {
  readonly host: string;
  readonly origin: string;
  readonly log: Pick<Log, "info"> | undefined;
}

/** Undefined where browsers make none: at a bare address, and without TLS but on this machine. */
export function placeOf(publicUrl: string, log: Place["log"]): Place | undefined {
  const { hostname: host, origin, protocol } = new URL(publicUrl);
  const isSecure = protocol === "https:" || host === "localhost" || host.endsWith(".localhost");
  const isAddress = isIP(host.replace(/^\[|\]$/g, "")) !== 0;
  return isSecure && !isAddress ? { host, origin, log } : undefined;
}

export type MadeOptions = Awaited<ReturnType<typeof Library.generateRegistrationOptions>>;
export type AskedOptions = Awaited<ReturnType<typeof Library.generateAuthenticationOptions>>;

/** Loaded by the first passkey: it takes memory. */
const library = (): Promise<typeof Library> => import("@simplewebauthn/server");

interface Asking {
  readonly challenge: string;
  readonly milliseconds: number;
  /** Of the account; none: whichever the person chooses. */
  readonly passkeys: readonly Pick<Row, "credentialId" | "transports">[];
}

/** EdDSA, ES256, RS256 (COSE): what devices have. Newer ones Node.js warns of as experimental. */
const supportedAlgorithmIDs = [-8, -7, -257];

const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, "base64url"));

const listed = (passkeys: Asking["passkeys"]) =>
  passkeys.flatMap(({ credentialId: id, transports }) => (id === null ? [] : [{ id, transports }]));

/** For the browser, to make one. */
export const toMake = async (
  { host }: Place,
  { challenge, milliseconds, passkeys, email, handle }: Asking & { email: string; handle: Uint8Array },
): Promise<MadeOptions> =>
  (await library()).generateRegistrationOptions({
    rpName: "Postern",
    rpID: host,
    userName: email,
    userID: new Uint8Array(handle),
    challenge: bytesOf(challenge),
    timeout: milliseconds,
    supportedAlgorithmIDs,
    excludeCredentials: listed(passkeys),
    // One that the device can find without a name signs in without a password.
    authenticatorSelection: { residentKey: "preferred", userVerification: "preferred" },
  });

/** For the browser, to use one. */
export const toUse = async (
  { host }: Place,
  { challenge, milliseconds, passkeys }: Asking,
): Promise<AskedOptions> =>
  (await library()).generateAuthenticationOptions({
    rpID: host,
    challenge: bytesOf(challenge),
    timeout: milliseconds,
    allowCredentials: listed(passkeys),
    userVerification: passkeys.length === 0 ? "required" : "preferred",
  });

const ClientData = z.object({ challenge: z.string() });
const Answer = z.looseObject({ id: z.string(), response: z.looseObject({ clientDataJSON: z.string() }) });

/** What a browser answered. */
export interface Answered {
  /** Of the passkey. */
  readonly id: string;
  readonly challenge: string;
  /** As the library takes it, which checks it. */
  readonly response: object;
}

/** Reads it; undefined for what is no answer of a passkey. */
export function readAnswer(text: string): Answered | undefined {
  try {
    const response = Answer.parse(JSON.parse(text));
    const clientData = Buffer.from(response.response.clientDataJSON, "base64url").toString();
    return { id: response.id, response, challenge: ClientData.parse(JSON.parse(clientData)).challenge };
  } catch {
    return undefined;
  }
}

type Made = Pick<Row, "publicKey" | "counter" | "transports"> & { readonly credentialId: string };

/** What is kept of a new one; undefined when its answer is not right. */
export async function readNew(
  { host, origin, log }: Place,
  { challenge, ...given }: Answered,
): Promise<Made | undefined> {
  const response = given.response as Parameters<typeof Library.verifyRegistrationResponse>[0]["response"];
  const asked = { expectedChallenge: challenge, expectedOrigin: origin, expectedRPID: host };
  const { registrationInfo } = await rightOrNot(log, ({ verifyRegistrationResponse: verify }) =>
    verify({ response, ...asked, supportedAlgorithmIDs, requireUserVerification: false }),
  );
  if (!registrationInfo) return undefined;
  const { id, publicKey, counter, transports = [] } = registrationInfo.credential;
  return { credentialId: id, publicKey, counter: BigInt(counter), transports: transports.slice(0, 10) };
}

/** The new counter of a passkey; undefined when its answer is not right. `alone`: it is used without a password, so the device must know its person. */
export async function readUse(
  { host, origin, log }: Place,
  { answer, passkey, alone }: { answer: Answered; passkey: Row; alone: boolean },
): Promise<bigint | undefined> {
  const { challenge, ...given } = answer;
  const response = given.response as Parameters<typeof Library.verifyAuthenticationResponse>[0]["response"];
  const asked = { expectedChallenge: challenge, expectedOrigin: origin, expectedRPID: host };
  const { credentialId: id, publicKey: key, counter } = passkey;
  if (id === null || key === null) return undefined;
  const credential = { id, publicKey: new Uint8Array(key), counter: Number(counter) };
  const { verified, authenticationInfo } = await rightOrNot(log, ({ verifyAuthenticationResponse: verify }) =>
    verify({ response, ...asked, credential, requireUserVerification: alone }),
  );
  return verified && authenticationInfo ? BigInt(authenticationInfo.newCounter) : undefined;
}

/** The library throws for every answer that is not right. The log has the reason, which may be ours: another PUBLIC_URL, a key that was kept wrong. */
async function rightOrNot<Verified extends { verified: boolean }>(
  log: Place["log"],
  verify: (by: typeof Library) => Promise<Verified>,
): Promise<Verified | { verified: false; registrationInfo?: never; authenticationInfo?: never }> {
  try {
    return await verify(await library());
  } catch (err) {
    log?.info({ err }, "the answer of a passkey is not right");
    return { verified: false };
  }
}
