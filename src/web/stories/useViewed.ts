import { useCallback, useEffect, useEffectEvent, useRef, useState } from "react";
import { useToken } from "../session.ts";
import { stored, useStored } from "../stored.ts";
import type { OnServer } from "./viewedOnServer.ts";

const keptMax = 200;

export interface Viewed {
  /** Whether this browser or the account has opened it. */
  has: (storyId: string) => boolean;
  mark: (storyId: string) => void;
}

/** Called once for each session with the user's id and a test for stories not viewed here or elsewhere. */
type OnKnown = (userId: string, isNew: (storyId: string) => boolean) => void;

/** The viewed stories of this browser and, with a token, of the server (spec O §4). Calls nothing without stories. */
export function useViewed(isWanted: boolean, onKnown: OnKnown): Viewed {
  const [here, setHere] = useStored(stored.viewedStories);
  const { known, keep } = useOnServer(isWanted, ({ userId, viewed }) => {
    if (viewed) onKnown(userId, (id) => !viewed.includes(id) && !stored.viewedStories.read().includes(id));
  });
  const mark = useCallback(
    (storyId: string) => {
      // Reads again: another tab or the previous story may have written.
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
  // Runs after the first page, which excludes the API client.
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
  // A story may open before the server has answered with the user.
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
