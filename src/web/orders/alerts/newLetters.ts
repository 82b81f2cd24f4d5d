import { useSyncExternalStore } from "react";
import type { EventBody, ShopEvent } from "../../../contract/events.ts";
import { stored } from "../../stored.ts";
import type { Item } from "../list/activations.ts";

// Which letters came while the pages are open, on whichever of them: kept outside React, as one goes from page to page.

interface NewLetters {
  /** Whose they are: of another session nothing is shown. */
  readonly token: string;
  /** Ids of activations whose letter nobody has reacted to yet. */
  readonly fresh: ReadonlySet<string>;
  /** Those whose row was on no page of the list that was shown, newest first. */
  readonly offScreen: readonly Item[];
}

const offScreenMax = 5;
const none: NewLetters = { token: "", fresh: new Set(), offScreen: [] };
let arrivals = none;
/** Of whom it was said, by the list or by an event. An activation has one first letter. */
const announced = new Set<string>();
const listeners = new Set<() => void>();

function change(more: Partial<NewLetters>) {
  arrivals = { ...current(), ...more };
  for (const listener of listeners) listener();
}

/** What came for the session of this browser. */
function current(): NewLetters {
  const token = stored.authToken.read();
  if (arrivals.token !== token) arrivals = { ...none, token };
  return arrivals;
}

export const useNewLetters = (): NewLetters =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    current,
    () => none,
  );

/** Notes that their letters came; answers those that nobody has told of yet. */
export function markFresh(items: readonly Item[]): Item[] {
  const ids = items.flatMap(({ id }) => id ?? []);
  change({ fresh: new Set([...current().fresh, ...ids]) });
  const untold = items.filter(({ id }) => id !== undefined && !announced.has(id));
  for (const id of ids) announced.add(id);
  return untold;
}

/** Keeps one in sight whose row is not. */
export function keepOffScreen(item: Item): void {
  const others = current().offScreen.filter(({ id }) => id !== item.id);
  change({ offScreen: [item, ...others].slice(0, offScreenMax) });
}

export function dismissOffScreen(item: Item): void {
  change({ offScreen: current().offScreen.filter(({ id }) => id !== item.id) });
}

/** Somebody is at the page: nothing is fresh any more. */
export function markSeen(): void {
  if (current().fresh.size > 0) change({ fresh: none.fresh });
}

const lettersMax = 50;

/**
 * Finds the first letters in the events: that of a letter tells its code, and the one of the activation, which comes after it, that
 * it was the first.
 */
export class FirstLetters {
  readonly #letters = new Map<string, EventBody<"letter">>();

  /** The activation as a row, when the event says that its first letter came. */
  onEvent(event: ShopEvent): Item | undefined {
    if (event.name === "letter") {
      this.#letters.set(event.data.activation_id, event.data);
      for (const oldest of this.#letters.keys())
        if (this.#letters.size > lettersMax) this.#letters.delete(oldest);
    }
    if (event.name !== "activation" || event.data.status !== 1) return undefined;
    const { activation_id: id, from, email, price, expires_at } = event.data;
    const letter = this.#letters.get(id);
    this.#letters.delete(id);
    return {
      key: id,
      id,
      site: from,
      email,
      state: "received",
      code: letter?.code,
      link: letter?.link,
      value: letter?.value,
      price,
      expiresAt: expires_at,
    };
  }
}
