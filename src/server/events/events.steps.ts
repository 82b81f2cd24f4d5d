// Steps: events of progress without a change of status, for pages and not for programs.

const ending = " step";

export const stepOf = (status: string): string => status + ending;

/** Streams send steps; webhooks skip them. */
export const isStep = (status: string | null): boolean => status?.endsWith(ending) === true;

export const statusOfStep = (status: string | null): string | null =>
  status !== null && isStep(status) ? status.slice(0, -ending.length) : status;
