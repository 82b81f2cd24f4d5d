import type { ReactNode } from "react";
import { ConfirmDialog } from "../ui/dialog/ConfirmDialog.tsx";
import { type Call, useCall } from "./useCall.ts";

interface ConfirmCallProps<Data> {
  title: string;
  action: string;
  children: ReactNode;
  call: Call<Data>;
  /** What is said when it is done; left out where that shows itself. */
  done?: (data: Data) => string;
  /** Undefined: it was refused, and that was said. Closes the dialog. */
  onEnd: (data: Data | undefined) => void;
  onClose: () => void;
}

/** Asks before a call that cannot be undone, and makes it. */
export function ConfirmCall<Data>({ call, done, onEnd, ...dialog }: ConfirmCallProps<Data>) {
  const [isBusy, run] = useCall();
  return <ConfirmDialog busy={isBusy} onConfirm={() => void run(call, done).then(onEnd)} {...dialog} />;
}
