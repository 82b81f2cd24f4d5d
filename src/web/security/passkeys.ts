// What the browser does with passkeys. Its library loads when one is made or used.
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from "@simplewebauthn/browser";

const load = () => import("@simplewebauthn/browser");

/** Browsers have passkeys for pages of a name, by TLS or of this machine. */
export const hasPasskeys = (): boolean =>
  isSecureContext && "PublicKeyCredential" in window && !/^[\d.]+$|:/.test(location.hostname);

export type FactorKind = "passkey" | "app" | "recovery";

/** What the server asks an account for, beside the password. */
export interface Ways {
  readonly ticket: string;
  readonly kinds: readonly FactorKind[];
  readonly passkey?: object | undefined;
}

/** As options came from the server, which made them for the browser. */
export type Options = Readonly<Record<string, unknown>>;

/** The answer of a new passkey for the server; undefined when the person or the device did not make one. */
export const makePasskey = (options: Options): Promise<string | undefined> =>
  answered(async () =>
    (await load()).startRegistration({
      optionsJSON: options as unknown as PublicKeyCredentialCreationOptionsJSON,
    }),
  );

/** The same of one that the person has. */
export const answerByPasskey = (options: Options): Promise<string | undefined> =>
  answered(async () =>
    (await load()).startAuthentication({
      optionsJSON: options as unknown as PublicKeyCredentialRequestOptionsJSON,
    }),
  );

async function answered(ask: () => Promise<object>): Promise<string | undefined> {
  try {
    return JSON.stringify(await ask());
  } catch {
    return undefined;
  }
}
