import { useLanguage } from "../language.tsx";
import { paths } from "../paths.ts";
import { useServerData } from "../serverData.tsx";

/** Where help is to be had: the support channel of the shop, or else our own page. */
export function useHelpUrl(): string {
  const language = useLanguage();
  const { supportUrl } = useServerData();
  return supportUrl ?? paths.help(language);
}
