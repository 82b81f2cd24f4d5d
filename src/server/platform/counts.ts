/** How often each kind of a thing was seen by this process since its start. Known kinds are told from the start: a rate needs their 0. */
export class Counts<Kind extends string = string> extends Map<string, number> {
  constructor(known: readonly Kind[] = []) {
    super(known.map((kind) => [kind, 0]));
  }

  add(kind: Kind, count = 1): void {
    this.set(kind, (this.get(kind) ?? 0) + count);
  }
}
