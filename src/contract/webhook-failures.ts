export const webhookFailures = {
  /** Also for a name that is not found: the difference would reveal names of the operator's network. */
  notPublic:
    "The address does not lead to a public host, or names another port: we send events only to public https addresses on port 443.",
  redirect: "The address answered with a redirect, which we do not follow: enter the address it leads to.",
  status: "The address answered with HTTP {status}.",
  refused: "The connection was refused.",
  cut: "The connection was cut before an answer came.",
  unreachable: "The host cannot be reached.",
  late: "No answer came within {seconds} seconds.",
  tlsExpired: "The host’s TLS certificate has expired, or is not valid yet.",
  tlsName: "The host’s TLS certificate is for another name.",
  tlsUntrusted: "The host’s TLS certificate is not from a trusted authority.",
  tls: "The host’s TLS certificate or protocol was not accepted.",
  notHttp: "The answer is not HTTP.",
  unsent: "The message could not be sent.",
  off: "The webhook was switched off before the event was sent.",
  gone: "The address answered with HTTP 410: it wants no more events.",
  operator: "The operator of this service gave the event up.",
  newPassword: "A new password was set for the account: switch it on again if it is yours.",
  silent: "No event was accepted for 3 days. The last failure: {failure}",
} as const;

export type WebhookFailure = keyof typeof webhookFailures;

export function sayFailure(failure: WebhookFailure, holes: Record<string, string> = {}): string {
  return webhookFailures[failure].replace(/\{(\w+)\}/g, (hole, name: string) => holes[name] ?? hole);
}

// A failure may contain another; every other placeholder is one word.
const patterns = Object.entries(webhookFailures).map(([failure, sentence]) => {
  const escaped = sentence.replace(/[.()]/g, "\\$&");
  const pattern = escaped.replace(/\{(\w+)\}/g, (_, name: string) =>
    name === "failure" ? "(?<failure>.+)" : `(?<${name}>[^\\s()]+)`,
  );
  return { failure: failure as WebhookFailure, pattern: new RegExp(`^${pattern}$`) };
});

/** The failure of a sentence and its placeholders; undefined for a sentence of another server version. */
export function readFailure(
  sentence: string,
): { failure: WebhookFailure; holes: Record<string, string> } | undefined {
  for (const { failure, pattern } of patterns) {
    const found = pattern.exec(sentence);
    if (found) return { failure, holes: { ...found.groups } };
  }
  return undefined;
}
