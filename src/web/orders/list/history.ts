import type * as z from "zod/mini";
import type { HistoryItem } from "../../../contract/orders.ts";
import type { ItemState } from "./activations.ts";
import type { Letter } from "../letter/letter.ts";

/** A letter of the history, or an order without one (spec B §3). */
export interface HistoryEntry extends Letter {
  key: string;
  id: string;
  site: string;
  email: string;
  state: ItemState;
  /** How it ended without a letter. */
  ended: "canceled" | "expired" | undefined;
  /** Dollars. */
  price: number;
  /** Unix seconds. */
  orderedAt: number;
  note: string | undefined;
}

type Wire = z.output<typeof HistoryItem>;

const states = new Map<unknown, ItemState>([
  ["ok", "received"],
  ["wait", "pending"],
  ["cancel", "canceled"],
]);

export function isGroups(data: unknown): data is Record<string, readonly Wire[]> {
  return (
    typeof data === "object" && data !== null && Object.values(data).every((group) => Array.isArray(group))
  );
}

/** The letters of the page, newest first; an order without letters is one empty entry (spec B §3). */
export function entriesOf(groups: Record<string, readonly Wire[]>): HistoryEntry[] {
  return Object.values(groups)
    .flat()
    .flatMap((wire) =>
      (wire.messages.length > 0 ? wire.messages : [""]).map((text, index) => entry(wire, text, index)),
    )
    .toSorted((a, b) => b.receivedAt - a.receivedAt);
}

function entry(wire: Wire, message: string, index: number): HistoryEntry {
  const letter = wire.letters?.[index];
  return {
    key: `${wire.id}-${index}`,
    id: wire.id,
    site: wire.from,
    email: wire.email,
    state: states.get(wire.status) ?? "unknown",
    ended: wire.ended,
    price: wire.price,
    orderedAt: wire.created_at,
    note: wire.note,
    letterId: letter?.letter_id,
    message,
    sender: letter?.sender ?? "",
    subject: letter?.subject ?? "",
    code: letter?.code,
    link: letter?.link,
    codeCandidates: letter?.code_candidates ?? [],
    value: letter?.value,
    attachments: letter?.attachments ?? [],
    // Known only after the letter is fetched.
    remoteImages: 0,
    receivedAt: letter?.received_at ?? (wire.received_at || wire.created_at),
  };
}
