import { useSyncExternalStore } from "react";
import type { EventBody, ShopEvent } from "../../../contract/events.ts";
import { stored } from "../../stored.ts";
import { makeListeners } from "../../ui/listeners.ts";
import type { Item } from "../list/activations.ts";

// The new letters of all pages: outside React, because they outlive a page.

interface NewLetters {
  /** The session's token: another session sees nothing. */
  readonly token: string;
  /** Ids of activations with a new letter that the user has not reacted to. */
  readonly fresh: ReadonlySet<string>;
  readonly offScreen: readonly Item[];
}

const offScreenMax = 5;
const none: NewLetters = { token: "", fresh: new Set(), offScreen: [] };
let arrivals = none;
/** Ids announced by the list or by an event: an activation has one first letter. */
const announced = new Set<string>();
const listeners = makeListeners();

function change(more: Partial<NewLetters>) {
  arrivals = { ...current(), ...more };
  listeners.tell();
}

function current(): NewLetters {
  const token = stored.authToken.read();
  if (arrivals.token !== token) arrivals = { ...none, token };
  return arrivals;
}

export const useNewLetters = (): NewLetters => useSyncExternalStore(listeners.add, current, () => none);

/** Marks items as fresh; returns those that were not announced yet. */
export function markFresh(items: readonly Item[]): Item[] {
  const ids = items.flatMap(({ id }) => id ?? []);
  change({ fresh: new Set([...current().fresh, ...ids]) });
  const fresh = items.filter(({ id }) => id !== undefined && !announced.has(id));
  for (const id of ids) announced.add(id);
  return fresh;
}

export function keepOffScreen(item: Item): void {
  const others = current().offScreen.filter(({ id }) => id !== item.id);
  change({ offScreen: [item, ...others].slice(0, offScreenMax) });
}

export function dismissOffScreen(item: Item): void {
  change({ offScreen: current().offScreen.filter(({ id }) => id !== item.id) });
}

export function markSeen(): void {
  if (current().fresh.size > 0) change({ fresh: none.fresh });
}

const lettersMax = 50;

/** Finds first letters: the letter's event has the code, the activation's event after it marks the first one. */
export class FirstLetters {
  readonly #letters = new Map<string, EventBody<"letter">>();

  /** The activation as a row, if the event reports its first letter. */
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
