import { api } from "../api.ts";

export interface OnServer {
  userId: string;
  viewed: string[] | undefined;
}

/** The token's user and viewed stories. A refused token does not end the session here. */
export async function readViewed(token: string, signal: AbortSignal): Promise<OnServer | undefined> {
  const known = await api.information({}, { signal, token });
  if (!known.ok) return undefined;
  const userId = known.data.data.id;
  const answer = await api.viewedStories({ userId }, { signal, token });
  return { userId, viewed: answer.ok ? answer.data.viewed : undefined };
}

/** Stores a view on the server; offline only this browser knows it. */
export async function keepViewed(token: string, ask: { userId: string; storyId: string }): Promise<boolean> {
  return (await api.viewStory(ask, { token })).ok;
}
