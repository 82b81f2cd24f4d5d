import { type ReactNode, useEffect, useRef, useState } from "react";
import { navigate } from "wouter/use-browser-location";
import { useOfficeText } from "../language.tsx";
import { pageOf } from "../paths.ts";
import { stored } from "../stored.ts";
import { ConfirmDialog } from "../ui/dialog/ConfirmDialog.tsx";

/**
 * Asks before what was written and not saved is lost: when the page is left by a link, by going back or by closing it, and by
 * `ask` where one begins something else and loses something. `question` must stand in the page.
 */
export function useUnsaved(isUnsaved: boolean): {
  ask: (go: () => void, isLost: boolean) => void;
  question: ReactNode;
} {
  const t = useOfficeText();
  const [go, setGo] = useState<() => void>();
  const isLeaving = useRef(false);
  const later = (what: () => void) => setGo(() => what);
  useStay(isUnsaved);
  // Links and the way back are outside React.
  useEffect(() => {
    // Where the browser does not tell of them, only closing the page is asked about.
    if (!isUnsaved || !("navigation" in window)) return undefined;
    const hold = (event: NavigateEvent) => {
      const { destination } = event;
      const isSame = pageOf(new URL(destination.url).pathname) === pageOf(location.pathname);
      // Who has signed out cannot save any more.
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

/** The browser itself asks before it closes the page. */
function useStay(isUnsaved: boolean) {
  // The window is outside React.
  useEffect(() => {
    if (!isUnsaved) return undefined;
    const stay = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", stay);
    return () => removeEventListener("beforeunload", stay);
  }, [isUnsaved]);
}
