/** Functions that want to hear of something. */
export interface Listeners<Heard extends unknown[]> {
  /** Returns what ends it. */
  readonly add: (listener: (...heard: Heard) => void) => () => void;
  readonly tell: (...heard: Heard) => void;
}

export function makeListeners<Heard extends unknown[] = []>(): Listeners<Heard> {
  const all = new Set<(...heard: Heard) => void>();
  return {
    add: (listener) => {
      all.add(listener);
      return () => void all.delete(listener);
    },
    tell: (...heard) => {
      for (const listener of all) listener(...heard);
    },
  };
}
