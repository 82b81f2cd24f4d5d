import { useLanguage } from "../language.tsx";
import { paths } from "../paths.ts";
import { useServerData } from "../serverData.tsx";

/** The support channel of the shop, else the help page. */
export function useHelpUrl(): string {
  const language = useLanguage();
  const { supportUrl } = useServerData();
  return supportUrl ?? paths.help(language);
}
