import { stored, type PendingRequest } from "../stored.ts";

/** The services of the home page (spec B §2) by their own names; `any` comes first. The server knows the domain of each short name. */
export const services = {
  google: "Google",
  instagram: "Instagram",
  discord: "Discord",
  zoom: "Zoom",
  x: "X",
  reddit: "Reddit",
  facebook: "Facebook",
} as const;

/** Remembers what was asked for until somebody has signed in. */
export function keepPendingRequest(request: PendingRequest): void {
  stored.pendingEmailRequest.write(request);
}

/** Takes what was remembered; the second time there is nothing. */
export function takePendingRequest(): PendingRequest | undefined {
  const request = stored.pendingEmailRequest.read();
  stored.pendingEmailRequest.remove();
  return request ?? undefined;
}
