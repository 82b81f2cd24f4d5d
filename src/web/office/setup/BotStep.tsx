import { useOfficeText } from "../../language.tsx";
import { Notice } from "../../ui/feedback/Notice.tsx";
import { Lines } from "./Line.tsx";
import type { Standing } from "./useSetup.ts";

/** Whether there is a bot, and whether it answers. */
export function BotStep({ standing: { bot } }: { standing: Standing }) {
  const t = useOfficeText();
  return (
    <>
      <p>{t("setup.bot.text")}</p>
      {bot.name !== undefined && (
        <Notice tone="good">{t("setup.bot.answered", { name: `@${bot.name}` })}</Notice>
      )}
      {bot.set && bot.name === undefined && <Notice tone="warn">{t("setup.bot.silent")}</Notice>}
      {!bot.set && <Lines lines={["TELEGRAM_BOT_TOKEN=123456:ABC…"]} />}
    </>
  );
}
