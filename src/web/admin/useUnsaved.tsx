import { type ReactNode, useEffect, useRef, useState } from "react";
import { navigate } from "wouter/use-browser-location";
import { useOfficeText } from "../language.tsx";
import { pageOf } from "../paths.ts";
import { stored } from "../stored.ts";
import { ConfirmDialog } from "../ui/dialog/ConfirmDialog.tsx";

/** Asks before unsaved changes are lost: by a link, by "back", by closing the page, and by `ask`. Render `question` in the page. */
export function useUnsaved(isUnsaved: boolean): {
  ask: (go: () => void, isLost: boolean) => void;
  question: ReactNode;
} {
  const t = useOfficeText();
  const [go, setGo] = useState<() => void>();
  const isLeaving = useRef(false);
  const later = (what: () => void) => setGo(() => what);
  useStay(isUnsaved);
  useEffect(() => {
    // Without the Navigation API only closing the page asks.
    if (!isUnsaved || !("navigation" in window)) return undefined;
    const hold = (event: NavigateEvent) => {
      const { destination } = event;
      const isSame = pageOf(new URL(destination.url).pathname) === pageOf(location.pathname);
      // Signed out, the user cannot save any more.
      const isOut = stored.authToken.read() === "";
      if (isSame || isOut || isLeaving.current || !event.cancelable || !destination.sameDocument) return;
      event.preventDefault();
      later(() => {
        isLeaving.current = true;
        if (event.navigationType === "traverse") navigation.traverseTo(destination.key);
        else navigate(new URL(destination.url).pathname + new URL(destination.url).search);
      });
    };
    navigation.addEventListener("navigate", hold);
    return () => navigation.removeEventListener("navigate", hold);
  }, [isUnsaved]);
  const question = go && (
    <ConfirmDialog
      title={t("editor.unsaved.title")}
      action={t("editor.unsaved.discard")}
      busy={false}
      onClose={() => setGo(undefined)}
      onConfirm={() => {
        setGo(undefined);
        go();
      }}
    >
      {t("editor.unsaved.text")}
    </ConfirmDialog>
  );
  return { ask: (what, isLost) => (isLost ? later(what) : what()), question };
}

function useStay(isUnsaved: boolean) {
  useEffect(() => {
    if (!isUnsaved) return undefined;
    const stay = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", stay);
    return () => removeEventListener("beforeunload", stay);
  }, [isUnsaved]);
}
