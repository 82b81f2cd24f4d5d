import { createContext, type ReactNode, use, useEffect, useMemo, useState } from "react";
import { api } from "../api.ts";
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
  /** The account's token, for the programs that are made of the samples: no session. */
  sampleToken: string | undefined;
  isInSamples: boolean;
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
  const [isInSamples, showInSamples] = useState(false);
  const [ordered, noteOrder] = useState("");
  const isSignedIn = session !== "";
  const sampleToken = useAccountToken(isInSamples ? session : "");
  const site = isSignedIn ? lastSite : "";
  const names = domains.map(({ name }) => name).join(" ");
  const reader = useMemo(
    () => ({
      token: isSignedIn ? session : typed,
      isSignedIn,
      typeToken,
      sampleToken,
      isInSamples,
      showInSamples,
      ordered,
      noteOrder,
      filled: filledWith({ site, domains: names.split(" ").filter(Boolean), id: ordered }),
    }),
    [session, isSignedIn, typed, sampleToken, isInSamples, ordered, site, names],
  );
  return <DocsSessionContext value={reader}>{children}</DocsSessionContext>;
}

/** Undefined until the server has told it, and without a session. */
function useAccountToken(session: string): string | undefined {
  const [known, setKnown] = useState({ session: "", token: "" });
  useEffect(() => {
    if (session === "") return undefined;
    const left = new AbortController();
    api.information({}, { token: session, signal: left.signal }).then(
      (answer) => answer.ok && setKnown({ session, token: answer.data.data.token }),
      (fault: unknown) => {
        if (!left.signal.aborted) reportError(fault);
      },
    );
    return () => left.abort();
  }, [session]);
  return session !== "" && known.session === session ? known.token : undefined;
}

export function useDocsSession(): DocsSession {
  const reader = use(DocsSessionContext);
  if (!reader) throw new Error("no DocsSessionProvider above");
  return reader;
}
