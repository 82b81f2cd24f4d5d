import { api, type Refused } from "../../api.ts";
import { stored } from "../../stored.ts";
import { toastWithAction } from "../../ui/feedback/toast.ts";
import { makeListeners } from "../../ui/listeners.ts";

export interface Cancel {
  id: string;
  email: string;
  /** Whether it is refunded; another only leaves the list. */
  isWaiting: boolean;
}

export interface CancelWords {
  offered: (cancels: readonly Cancel[]) => string;
  undo: string;
  /** The calls are about to be made. */
  onSend: (cancels: readonly Cancel[]) => void;
  onDone: (cancels: readonly Cancel[], refused: Refused<string> | undefined) => void;
}

interface Cancels {
  /** Those that can be undone. */
  offered: readonly Cancel[];
  /** The ids of those whose call was made and not refused. */
  sent: ReadonlySet<string>;
}

let cancels: Cancels = { offered: [], sent: new Set() };
let last: { words: CancelWords; token: string; withdraw: () => void } | undefined;
const listeners = makeListeners();

/** Outlives the page of the list: another page may be open when the five seconds are over. */
export const cancelStore = { subscribe: listeners.add, read: () => cancels };

/** Cancels unless it is undone within five seconds, that is while its toast is shown. Later ones join it. */
export function offerCancels(added: readonly Cancel[], words: CancelWords): void {
  const ids = new Set(added.map(({ id }) => id));
  offer([...cancels.offered.filter(({ id }) => !ids.has(id)), ...added], words);
}

/** Takes back those that are still offered. */
export function undoCancels(ids: ReadonlySet<string>): void {
  const left = cancels.offered.filter(({ id }) => !ids.has(id));
  if (left.length < cancels.offered.length && last) offer(left, last.words);
}

function offer(offered: readonly Cancel[], words: CancelWords): void {
  last?.withdraw();
  change({ ...cancels, offered });
  removeEventListener("pagehide", sendAtOnce);
  if (offered.length === 0) return;
  addEventListener("pagehide", sendAtOnce);
  const withdraw = toastWithAction(words.offered(offered), {
    label: words.undo,
    onPress: () => undoCancels(new Set(cancels.offered.map(({ id }) => id))),
    onLeave: () => void send(false),
  });
  last = { words, token: stored.authToken.read(), withdraw };
}

const sendAtOnce = () => void send(true);

/** One after the other: a hundred at once would stop the page's other calls. A page that is left has no time for that. */
async function send(isLeaving: boolean): Promise<void> {
  const { offered } = cancels;
  if (!last) return;
  const { words, token, withdraw } = last;
  withdraw();
  words.onSend(offered);
  change({ offered: [], sent: new Set([...cancels.sent, ...offered.map(({ id }) => id)]) });
  const call = ({ id }: Cancel) => api.cancelEmail({ id }, { token, keepalive: isLeaving });
  const calls = isLeaving ? offered.map(call) : [];
  const done: Cancel[] = [];
  let refused: Refused<string> | undefined;
  for (const [at, cancel] of offered.entries()) {
    const answer = await (calls[at] ?? call(cancel));
    if (answer.ok) done.push(cancel);
    else {
      refused = answer;
      change({ ...cancels, sent: new Set([...cancels.sent].filter((id) => id !== cancel.id)) });
    }
  }
  words.onDone(done, refused);
}

function change(next: Cancels): void {
  cancels = next;
  listeners.tell();
}
