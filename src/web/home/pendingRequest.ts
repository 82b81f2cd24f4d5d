import { stored, type PendingRequest } from "../stored.ts";

/** The services of the home page (spec B §2), `any` first. The server knows the domain of each short name. */
export const services = {
  google: "Google",
  instagram: "Instagram",
  discord: "Discord",
  zoom: "Zoom",
  x: "X",
  reddit: "Reddit",
  facebook: "Facebook",
} as const;

export function keepPendingRequest(request: PendingRequest): void {
  stored.pendingEmailRequest.write(request);
}

/** Returns the stored request and removes it. */
export function takePendingRequest(): PendingRequest | undefined {
  const request = stored.pendingEmailRequest.read();
  stored.pendingEmailRequest.remove();
  return request ?? undefined;
}
