import { Ellipsis, type LucideIcon } from "lucide-react";
import { type ComponentType, useState } from "react";
import type { ActName } from "../../../contract/office/acts.ts";
import type { OfficeKey } from "../../../i18n/t.ts";
import { useLanguage, useOfficeText } from "../../language.tsx";
import { type OfficeSection, paths } from "../../paths.ts";
import { Button } from "../../ui/button/Button.tsx";
import { MenuButton, type MenuItem } from "../../ui/dialog/Menu.tsx";
import { useMayDo } from "../useMayDo.ts";

export interface RowDialogProps<Row> {
  row: Row;
  onClose: () => void;
}

export interface RowAction<Row> {
  label: OfficeKey;
  /** Left out: it only shows something. */
  act?: ActName;
  Icon: LucideIcon;
  Dialog: ComponentType<RowDialogProps<Row>>;
  fits?: (row: Row) => boolean;
  /** It takes something away: it stands apart. */
  isDangerous?: boolean;
}

export interface RowLink<Row> {
  section: OfficeSection;
  Icon: LucideIcon;
  query: (row: Row) => Readonly<Record<string, string>>;
}

interface RowActionsProps<Row> {
  actions: readonly RowAction<Row>[];
  links?: readonly RowLink<Row>[] | undefined;
  row: Row;
  name: string;
}

export function RowActions<Row>({ actions, links: ways = [], row, name }: RowActionsProps<Row>) {
  const t = useOfficeText();
  const language = useLanguage();
  const [open, setOpen] = useState<RowAction<Row>>();
  const mayDo = useMayDo();
  const fitting = actions.filter((action) => mayDo(action) && (action.fits?.(row) ?? true));
  const [only] = fitting;
  if (!only && ways.length === 0) return null;
  const items: MenuItem[] = [
    ...ways.map(({ section, Icon, query }) => ({
      id: section,
      Icon,
      label: t(`office.section.${section}`),
      href: `${paths.office(language, section)}?${new URLSearchParams(query(row))}`,
    })),
    ...fitting.map((act) => ({
      id: act.label,
      Icon: act.Icon,
      label: t(act.label),
      isDangerous: act.isDangerous === true,
      onPick: () => setOpen(act),
    })),
  ];
  return (
    <>
      {only && items.length === 1 ? (
        <Button
          tone="secondary"
          size="small"
          aria-label={t("office.act.of", { act: t(only.label), name })}
          onClick={() => setOpen(only)}
        >
          {t(only.label)}
        </Button>
      ) : (
        <MenuButton
          label={t("office.acts.of", { name })}
          icon={<Ellipsis aria-hidden size={18} />}
          items={items}
        />
      )}
      {open && <open.Dialog row={row} onClose={() => setOpen(undefined)} />}
    </>
  );
}
