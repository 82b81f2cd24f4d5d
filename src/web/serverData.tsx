import { createContext, use } from "react";
import type { NewsItem } from "./news/news.ts";

/** What the server says with the page itself, in the data block of the document. */
export interface ServerData {
  /** The shop sells play addresses for play money, and must say so. */
  demo: boolean;
  /** Names of the mail domains on sale, the preselected one first. */
  domains: string[];
  /** Address of the messaging-app support channel. */
  supportUrl: string;
  publicUrl: string;
  captcha: { kind: "altcha" | "recaptcha" | "turnstile" | "hcaptcha" | "off"; siteKey?: string | undefined };
  news: NewsItem[];
}

export const emptyServerData: ServerData = {
  demo: false,
  domains: [],
  supportUrl: "https://t.me/",
  publicUrl: "",
  captcha: { kind: "altcha" },
  news: [],
};

export const ServerDataContext = createContext<ServerData>(emptyServerData);

export const useServerData = (): ServerData => use(ServerDataContext);
