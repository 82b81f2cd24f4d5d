import { useCallback, useEffect, useEffectEvent, useRef, useState } from "react";
import { useToken } from "../session.ts";
import { stored, useStored } from "../stored.ts";
import type { OnServer } from "./viewedOnServer.ts";

/** Stories that were taken away long ago need not be remembered for ever. */
const keptMax = 200;

export interface Viewed {
  /** Was it opened in this browser, or by this account anywhere? */
  has: (storyId: string) => boolean;
  mark: (storyId: string) => void;
}

/** Hears, once for each session, whose token it is and what he has not viewed, neither here nor elsewhere. */
type OnKnown = (userId: string, isNew: (storyId: string) => boolean) => void;

/** Which stories are viewed: here, and on the server for who has a token (spec O §4). Without stories nobody is asked. */
export function useViewed(isWanted: boolean, onKnown: OnKnown): Viewed {
  const [here, setHere] = useStored(stored.viewedStories);
  const { known, keep } = useOnServer(isWanted, ({ userId, viewed }) => {
    if (viewed) onKnown(userId, (id) => !viewed.includes(id) && !stored.viewedStories.read().includes(id));
  });
  const mark = useCallback(
    (storyId: string) => {
      // Read anew: another tab, or the story before this one, may have written meanwhile.
      const before = stored.viewedStories.read();
      if (!before.includes(storyId)) setHere([...before, storyId].slice(-keptMax));
      keep(storyId);
    },
    [setHere, keep],
  );
  const has = (storyId: string) => here.includes(storyId) || (known?.viewed?.includes(storyId) ?? false);
  return { has, mark };
}

function useOnServer(isWanted: boolean, onKnown: (known: OnServer) => void) {
  const token = useToken();
  const [known, setKnown] = useState<OnServer>();
  const asked = useRef<Promise<OnServer | undefined>>(undefined);
  const tell = useEffectEvent(onKnown);
  // The server is outside React, and neither its client nor its answer is any part of the first page.
  useEffect(() => {
    if (token === "" || !isWanted) return undefined;
    const left = new AbortController();
    const asking = import("./viewedOnServer.ts")
      .then(({ readViewed }) => readViewed(token, left.signal))
      .catch((fault: unknown) => {
        if (!left.signal.aborted) reportError(fault);
        return undefined;
      });
    asked.current = asking;
    void asking.then((answer) => {
      if (left.signal.aborted || answer === undefined) return;
      setKnown(answer);
      tell(answer);
    });
    return () => {
      left.abort();
      asked.current = undefined;
      setKnown(undefined);
    };
  }, [token, isWanted]);
  // A story may be opened before the server has said whose it is.
  const keep = useCallback(
    (storyId: string) => {
      void asked.current?.then(async (answer) => {
        if (answer === undefined || answer.viewed?.includes(storyId)) return;
        const { keepViewed } = await import("./viewedOnServer.ts");
        const isKept = await keepViewed(token, { userId: answer.userId, storyId });
        if (isKept) answer.viewed?.push(storyId);
      });
    },
    [token],
  );
  return { known, keep };
}
