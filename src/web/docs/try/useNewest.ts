import { useEffect, useState } from "react";
import { api } from "../../api.ts";
import { useAccountRevision, useToken } from "../../session.ts";
import type { DocumentedCall } from "../calls.ts";

const newest = {
  webhook: async (signal: AbortSignal) => {
    const answer = await api.webhooks({}, { signal });
    return answer.ok ? answer.data.data.at(-1)?.id : undefined;
  },
  payment: async (signal: AbortSignal) => {
    const answer = await api.payments({ offset: 1 }, { signal });
    return answer.ok ? answer.data.data[0]?.id : undefined;
  },
};

function kindOf({ path, ask }: DocumentedCall): keyof typeof newest | undefined {
  if (!("id" in ask)) return undefined;
  if (path.startsWith("/user/webhooks/")) return "webhook";
  return path.startsWith("/payments/") ? "payment" : undefined;
}

/** The id of the newest webhook or payment of who is signed in, for a call about one; empty where there is none. */
export function useNewest(call: DocumentedCall): string {
  const token = useToken();
  const revision = useAccountRevision();
  const kind = kindOf(call);
  const [id, setId] = useState("");
  useEffect(() => {
    if (kind === undefined || token === "") return;
    const control = new AbortController();
    // Without it the reader types the id.
    newest[kind](control.signal).then(
      (found = "") => setId(found),
      () => undefined,
    );
    return () => control.abort();
  }, [kind, token, revision]);
  return id;
}
