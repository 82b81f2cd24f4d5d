import { createContext, type ReactNode, use, useMemo, useState } from "react";
import { useServerData } from "../serverData.tsx";
import { useToken } from "../session.ts";
import { stored, useStored } from "../stored.ts";
import { filledWith } from "./sampleValues.ts";

type Ask = Readonly<Record<string, string>>;

interface DocsSession {
  /** The session's token, else the typed one; empty without either. */
  token: string;
  isSignedIn: boolean;
  typeToken: (token: string) => void;
  sampleToken: string | undefined;
  showInSamples: (shown: boolean) => void;
  ordered: string;
  noteOrder: (id: string) => void;
  /** What a sample asks, with the mail domain of this shop and the reader's site. */
  filled: (ask: Ask) => Ask;
}

const DocsSessionContext = createContext<DocsSession | undefined>(undefined);

export function DocsSessionProvider({ children }: { children: ReactNode }) {
  const session = useToken();
  const { domains } = useServerData();
  const [lastSite] = useStored(stored.lastSiteInput);
  const [typed, typeToken] = useState("");
  const [inSamples, showInSamples] = useState(false);
  const [ordered, noteOrder] = useState("");
  const isSignedIn = session !== "";
  const site = isSignedIn ? lastSite : "";
  const names = domains.map(({ name }) => name).join(" ");
  const reader = useMemo(
    () => ({
      token: isSignedIn ? session : typed,
      isSignedIn,
      typeToken,
      sampleToken: isSignedIn && inSamples ? session : undefined,
      showInSamples,
      ordered,
      noteOrder,
      filled: filledWith({ site, domains: names.split(" ").filter(Boolean), id: ordered }),
    }),
    [session, isSignedIn, typed, inSamples, ordered, site, names],
  );
  return <DocsSessionContext value={reader}>{children}</DocsSessionContext>;
}

export function useDocsSession(): DocsSession {
  const reader = use(DocsSessionContext);
  if (!reader) throw new Error("no DocsSessionProvider above");
  return reader;
}
