import { Monitor, Moon, Sun } from "lucide-react";
import { useLayoutEffect } from "react";
import { useText } from "../language.tsx";
import { stored, useStored } from "../stored.ts";
import { IconButton } from "../ui/button/IconButton.tsx";

const next = { system: "light", light: "dark", dark: "system" } as const;
const icons = { system: Monitor, light: Sun, dark: Moon };

/** Cycles through system, light, dark. `theme.js` applies the stored choice before the first paint. */
export function ThemeSwitch() {
  const t = useText();
  const [theme, choose] = useStored(stored.theme);
  const Icon = icons[theme];
  // Applies the stored theme: another tab may change it, and hydration starts with the default.
  useLayoutEffect(() => {
    document.documentElement.dataset["theme"] = stored.theme.read();
  }, [theme]);
  return (
    <IconButton
      label={t("nav.theme", { theme: t(`nav.theme.${theme}`) })}
      icon={<Icon aria-hidden size={18} />}
      onClick={() => choose(next[theme])}
    />
  );
}
