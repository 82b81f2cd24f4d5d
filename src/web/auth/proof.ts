// A refused call that needs a person asks here, and goes on once the person has proved who it is. A dialog answers (ProofDialog.tsx).
import { useSyncExternalStore } from "react";

/** `proof`: prove anew who you are. `session`: the page has the token of programs; sign in. */
export type Lacking = "proof" | "session";

export interface ProofRequest {
  readonly lacking: Lacking;
  readonly settle: (isProved: boolean) => void;
}

let asked: (ProofRequest & { readonly answer: Promise<boolean> }) | undefined;
const listeners = new Set<() => void>();

function change(next: typeof asked) {
  asked = next;
  for (const listener of listeners) listener();
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
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => asked,
    () => undefined,
  );
