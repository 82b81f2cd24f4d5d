import { api } from "../api.ts";

/** What the server knows of who looks at stories. */
export interface OnServer {
  userId: string;
  /** Undefined when it did not say. */
  viewed: string[] | undefined;
}

/** Whose token it is and which stories he has viewed. A token that the server does not know ends nothing here: the pages that need one find out. */
export async function readViewed(token: string, signal: AbortSignal): Promise<OnServer | undefined> {
  const known = await api.information({}, { signal, token });
  if (!known.ok) return undefined;
  const userId = known.data.data.id;
  const answer = await api.viewedStories({ userId }, { signal, token });
  return { userId, viewed: answer.ok ? answer.data.viewed : undefined };
}

/** Remembers on the server that a story was viewed; without a connection only this browser knows it. */
export async function keepViewed(token: string, ask: { userId: string; storyId: string }): Promise<boolean> {
  return (await api.viewStory(ask, { token })).ok;
}
