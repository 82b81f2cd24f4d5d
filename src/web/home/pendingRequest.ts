import { cleanSite, suggestedSites } from "../orders/form/siteInput.ts";
import { type PendingRequest, stored, useStored } from "../stored.ts";

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

type Service = keyof typeof services;

/** Those that one press chooses: a row of them on a phone. */
export const quickServices: readonly Service[] = ["instagram", "google"];

/** The services are picked by their short names. */
function pickedAs(site: string): string {
  const [name = ""] = site.split(".");
  return suggestedSites.includes(site) && Object.hasOwn(services, name) ? name : site;
}

/** The site of this device and its mail type; empty texts without any. */
export function useKeptRequest(): PendingRequest {
  const [site] = useStored(stored.selectedSite);
  const [types] = useStored(stored.mailTypes);
  return { from: pickedAs(site), to: types[site] ?? "" };
}

/** What the pickers show: a choice may be older than the script. `from` is empty when a site of one's own is not typed. */
export function requestOf(form: HTMLFormElement): PendingRequest {
  const fields = new FormData(form);
  const textOf = (name: string) => fields.getAll(name).find((value) => typeof value === "string");
  const own = textOf("own");
  return { from: own === undefined ? (textOf("from") ?? "any") : cleanSite(own), to: textOf("to") ?? "" };
}

export function keepPendingRequest(request: PendingRequest): void {
  stored.pendingEmailRequest.write(request);
}

/** Returns the stored request and removes it. */
export function takePendingRequest(): PendingRequest | undefined {
  const request = stored.pendingEmailRequest.read();
  stored.pendingEmailRequest.remove();
  return request ?? undefined;
}
