import { useCallback } from "react";
import { useLocation } from "wouter";
import { takePendingRequest } from "../home/pendingRequest.ts";
import { useLanguage } from "../language.tsx";
import { dashboardOf, paths } from "../paths.ts";
import { stored } from "../stored.ts";
import { closeAuth, addressAfterSignIn, mailLink, openAuth } from "./authDialog.ts";

/** Opens the page after signing in: the one that required it, else the dashboard with the request of the home page (spec B §2). */
export function useAfterSignIn(): () => void {
  const language = useLanguage();
  const [, navigate] = useLocation();
  return useCallback(() => {
    // Who had to sign in first goes on with the link of the mail.
    if (mailLink()?.mode === "activate") return openAuth("activate");
    const request = takePendingRequest();
    const wanted = request ? undefined : addressAfterSignIn();
    closeAuth();
    navigate(
      wanted ?? (request ? paths.dashboard(language, request) : dashboardOf(language, stored.mode.read())),
    );
  }, [language, navigate]);
}
