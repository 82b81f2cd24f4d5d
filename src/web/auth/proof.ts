// A refused call that needs a person asks here, and goes on once the person has proved who it is. A dialog answers (ProofDialog.tsx).
import { useSyncExternalStore } from "react";
import { makeListeners } from "../ui/listeners.ts";

/** `proof`: prove anew who you are. `session`: the page has the token of programs; sign in. */
export type Lacking = "proof" | "session";

export interface ProofRequest {
  readonly lacking: Lacking;
  readonly settle: (isProved: boolean) => void;
}

let asked: (ProofRequest & { readonly answer: Promise<boolean> }) | undefined;
const listeners = makeListeners();

function change(next: typeof asked) {
  asked = next;
  listeners.tell();
}

/** Whether the person proved it. Calls that ask at the same time wait for one dialog. */
export function askProof(lacking: Lacking): Promise<boolean> {
  if (asked) return asked.answer;
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const settle = (isProved: boolean) => {
    change(undefined);
    resolve(isProved);
  };
  change({ lacking, settle, answer: promise });
  return promise;
}

export const useProofRequest = (): ProofRequest | undefined =>
  useSyncExternalStore(
    listeners.add,
    () => asked,
    () => undefined,
  );
