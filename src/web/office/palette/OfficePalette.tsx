import { type ReactNode, useState } from "react";
import { useLocation } from "wouter";
import { useOfficeText } from "../../language.tsx";
import { Palette, useSettled } from "../../palette/Palette.tsx";
import { usePaletteItems } from "./usePaletteItems.tsx";

/** Objects, pages and acts of the office by what is typed. */
export function OfficePalette({ onClose }: { onClose: () => void }) {
  const t = useOfficeText();
  const [, navigate] = useLocation();
  const [text, setText] = useState("");
  const [dialog, setDialog] = useState<ReactNode>();
  const settled = useSettled(text);
  const { items, isFetching } = usePaletteItems(text, settled, {
    onGo: (href) => {
      onClose();
      // After the dialog has given the focus back.
      setTimeout(() => navigate(href));
    },
    onText: setText,
    onDialog: (open) => setDialog(open(onClose)),
  });
  if (dialog) return dialog;
  const isOnTheWay = isFetching || settled !== text;
  const nothing = text.trim() !== "" && items.length === 0 ? t("office.empty") : "";
  return (
    <Palette
      label={t("office.palette")}
      hint={t("office.palette.hint")}
      text={text}
      onText={setText}
      items={items}
      status={isOnTheWay ? t("ui.loading") : nothing}
      onClose={onClose}
    />
  );
}
