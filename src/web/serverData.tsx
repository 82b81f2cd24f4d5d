import { createContext, use } from "react";
import type { Thumbnail } from "../contract/thumbnails.ts";
import type { Answer } from "./api.ts";

/** One announcement of the home page (spec B §3). */
export type NewsItem = Extract<Answer<"newsList">, { ok: true }>["data"]["news"][number];

/** What the server says with the page itself, in the data block of the document. */
export interface ServerData {
  /** The shop sells play addresses for play money, and must say so. */
  demo: boolean;
  /** The mail domains on sale with the dollars that a letter costs, the preselected one first. */
  domains: { name: string; price: string }[];
  /** Address of the messaging-app support channel; absent where the shop has none. */
  supportUrl?: string | undefined;
  /** There is a bot that confirms accounts. */
  telegram: boolean;
  publicUrl: string;
  captcha: { kind: "altcha" | "recaptcha" | "turnstile" | "hcaptcha" | "off"; siteKey?: string | undefined };
  /** The announcements in the language of the document; only home brings them. */
  news?: NewsItem[] | undefined;
  /** The thumbnails of stories in the language of the document; home and the dashboard bring them. */
  stories?: Thumbnail[] | undefined;
}

export const emptyServerData: ServerData = {
  demo: false,
  domains: [],
  telegram: false,
  publicUrl: "",
  captcha: { kind: "altcha" },
};

export const ServerDataContext = createContext<ServerData>(emptyServerData);

export const useServerData = (): ServerData => use(ServerDataContext);
