import { createContext, type ReactNode, use, useMemo, useState } from "react";
import { useToken } from "../session.ts";

/** What the page knows of its reader: in memory only, so that it is gone with the page. */
interface DocsSession {
  /** The session's token, else the one that was typed here; empty without either. */
  token: string;
  isSignedIn: boolean;
  typeToken: (token: string) => void;
  /** The token that samples show instead of a placeholder, because the reader wants it so. */
  sampleToken: string | undefined;
  showInSamples: (shown: boolean) => void;
  /** The activation that was ordered here last: what one tries next with. */
  ordered: string;
  noteOrder: (id: string) => void;
}

const DocsSessionContext = createContext<DocsSession | undefined>(undefined);

/** Remembers for all calls of the page what its reader has given to one of them. */
export function DocsSessionProvider({ children }: { children: ReactNode }) {
  const session = useToken();
  const [typed, typeToken] = useState("");
  const [inSamples, showInSamples] = useState(false);
  const [ordered, noteOrder] = useState("");
  const isSignedIn = session !== "";
  const reader = useMemo(
    () => ({
      token: isSignedIn ? session : typed,
      isSignedIn,
      typeToken,
      sampleToken: isSignedIn && inSamples ? session : undefined,
      showInSamples,
      ordered,
      noteOrder,
    }),
    [session, isSignedIn, typed, inSamples, ordered],
  );
  return <DocsSessionContext value={reader}>{children}</DocsSessionContext>;
}

export function useDocsSession(): DocsSession {
  const reader = use(DocsSessionContext);
  if (!reader) throw new Error("no ReaderProvider above");
  return reader;
}
