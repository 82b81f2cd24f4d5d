import { useCallback } from "react";
import { useLocation } from "wouter";
import { takeRequest } from "../home/request.ts";
import { useLanguage } from "../language.tsx";
import { paths } from "../paths.ts";
import { closeAuth, wantedAddress } from "./authDialog.ts";

/**
 * Where one goes after signing in: the dashboard, with the request of the home page if one waits (spec B §2); or the page that one
 * was sent away from.
 */
export function useEnter(): () => void {
  const language = useLanguage();
  const [, navigate] = useLocation();
  return useCallback(() => {
    const request = takeRequest();
    const wanted = request ? undefined : wantedAddress();
    closeAuth();
    navigate(wanted ?? paths.dashboard(language, request));
  }, [language, navigate]);
}
