import { useOfficeText } from "../../language.tsx";
import { Notice } from "../../ui/feedback/Notice.tsx";
import { CopyLines } from "./CopyLine.tsx";
import type { SetupState } from "./useSetup.ts";

export function BotStep({ setup: { bot } }: { setup: SetupState }) {
  const t = useOfficeText();
  return (
    <>
      <p>{t("setup.bot.text")}</p>
      {bot.name !== undefined && (
        <Notice tone="good">{t("setup.bot.answered", { name: `@${bot.name}` })}</Notice>
      )}
      {bot.set && bot.name === undefined && <Notice tone="warn">{t("setup.bot.silent")}</Notice>}
      {!bot.set && <CopyLines lines={["TELEGRAM_BOT_TOKEN=123456:ABC…"]} />}
    </>
  );
}
