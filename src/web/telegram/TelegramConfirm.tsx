import { Suspense } from "react";
import { ErrorBoundary } from "../ErrorBoundary.tsx";
import { lazyPart } from "../lazyPart.tsx";

const TelegramConfirmDialog = lazyPart(
  async () => (await import("./TelegramConfirmDialog.tsx")).TelegramConfirmDialog,
);

/** The dialog that confirms the account by the bot; its code loads when it is first opened. */
export function TelegramConfirm({ onClose }: { onClose: () => void }) {
  return (
    <ErrorBoundary over>
      <Suspense>
        <TelegramConfirmDialog onClose={onClose} />
      </Suspense>
    </ErrorBoundary>
  );
}
