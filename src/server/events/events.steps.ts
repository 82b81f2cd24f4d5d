// Some events tell no change of what they are about, only that it moves on: for eyes that watch it, not for programs.

const ending = " step";

/** The status of such an event: what it was before and still is. */
export const stepOf = (status: string): string => status + ending;

/** Whether an event with that status is a step: streams have it, and webhooks are spared a dozen messages that say the same. */
export const isStep = (status: string | null): boolean => status?.endsWith(ending) === true;

/** The status itself. */
export const statusOfStep = (status: string | null): string | null =>
  status !== null && isStep(status) ? status.slice(0, -ending.length) : status;
