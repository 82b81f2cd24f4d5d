import { createContext, use } from "react";
import type { Thumbnail } from "../contract/thumbnails.ts";
import type { Answer } from "./api.ts";

/** An announcement (spec B §3). */
export type NewsItem = Extract<Answer<"newsList">, { ok: true }>["data"]["news"][number];

export interface ServerData {
  /** Demonstration: addresses and money are not real. */
  demo: boolean;
  /** The mail domains with the dollars for a letter, the preselected one first. */
  domains: { name: string; price: string }[];
  supportUrl?: string | undefined;
  telegram: boolean;
  /** Whether partners and investors ask for what they earned on their pages. */
  withdrawals: "on" | "off";
  publicUrl: string;
  captcha: { kind: "altcha" | "recaptcha" | "turnstile" | "hcaptcha" | "off"; siteKey?: string | undefined };
  news?: NewsItem[] | undefined;
  /** In the language of the document; on home and the dashboard. */
  stories?: Thumbnail[] | undefined;
}

export const emptyServerData: ServerData = {
  demo: false,
  domains: [],
  telegram: false,
  withdrawals: "off",
  publicUrl: "",
  captcha: { kind: "altcha" },
};

export const ServerDataContext = createContext<ServerData>(emptyServerData);

export const useServerData = (): ServerData => use(ServerDataContext);
