import { createContext, type ReactNode, use, useMemo, useState } from "react";
import { useToken } from "../session.ts";

interface DocsSession {
  /** The session's token, else the typed one; empty without either. */
  token: string;
  isSignedIn: boolean;
  typeToken: (token: string) => void;
  sampleToken: string | undefined;
  showInSamples: (shown: boolean) => void;
  ordered: string;
  noteOrder: (id: string) => void;
}

const DocsSessionContext = createContext<DocsSession | undefined>(undefined);

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
