import { Suspense, useState } from "react";
import { useLocation } from "wouter";
import { topUpMinDollars } from "../../../contract/limits.ts";
import { useAppText } from "../../language.tsx";
import { lazyPart } from "../../lazyPart.tsx";
import { Palette, useSettled } from "../../palette/Palette.tsx";
import { useAccountItems } from "./useAccountItems.ts";

const TopUpDialog = lazyPart(async () => (await import("../../payments/TopUpDialog.tsx")).TopUpDialog);

/** Orders, payments, pages and acts of an account by what is typed. */
export function AccountPalette({ onClose }: { onClose: () => void }) {
  const t = useAppText();
  const [, navigate] = useLocation();
  const [text, setText] = useState("");
  const [isToppingUp, setToppingUp] = useState(false);
  const settled = useSettled(text);
  const { items, isFetching } = useAccountItems(text, settled, {
    onGo: (href) => {
      onClose();
      // After the dialog has given the focus back.
      setTimeout(() => navigate(href));
    },
    onText: setText,
    onTopUp: () => setToppingUp(true),
  });
  if (isToppingUp)
    return (
      <Suspense>
        <TopUpDialog amount={String(topUpMinDollars)} onClose={onClose} />
      </Suspense>
    );
  const nothing = text.trim() !== "" && items.length === 0 ? t("find.nothing") : "";
  return (
    <Palette
      label={t("palette.title")}
      hint={t("palette.hint")}
      text={text}
      onText={setText}
      items={items}
      status={isFetching || settled !== text ? t("ui.loading") : nothing}
      onClose={onClose}
    />
  );
}
