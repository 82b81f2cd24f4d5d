/** How long a test waits for what happens by itself, and how often it looks. Much longer than it takes: machines of tests are busy. */
export const soon = { timeout: 15_000, interval: 10 };
