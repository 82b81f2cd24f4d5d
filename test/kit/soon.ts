/** The time-out of waiting for background work; generous for busy machines. */
export const soon = { timeout: 30_000, interval: 10 };
