import { Ellipsis, type LucideIcon } from "lucide-react";
import { type ComponentType, useState } from "react";
import type { ActName } from "../../../contract/office/acts.ts";
import type { OfficeKey } from "../../../i18n/t.ts";
import { useLanguage, useOfficeText } from "../../language.tsx";
import { type OfficeSection, paths } from "../../paths.ts";
import { Button, LinkButton } from "../../ui/button/Button.tsx";
import { Dialog } from "../../ui/dialog/Dialog.tsx";
import { useMayDo } from "../useMayDo.ts";
import { IconButton } from "../../ui/button/IconButton.tsx";
import styles from "../Office.module.css";

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
  const [open, setOpen] = useState<RowAction<Row> | "list">();
  const close = () => setOpen(undefined);
  const mayDo = useMayDo();
  const fitting = actions.filter((action) => mayDo(action) && (action.fits?.(row) ?? true));
  const [only] = fitting;
  if (!only && ways.length === 0) return null;
  return (
    <>
      {only && fitting.length === 1 && ways.length === 0 ? (
        <Button
          tone="secondary"
          size="small"
          aria-label={t("office.act.of", { act: t(only.label), name })}
          onClick={() => setOpen(only)}
        >
          {t(only.label)}
        </Button>
      ) : (
        <IconButton
          label={t("office.acts.of", { name })}
          icon={<Ellipsis aria-hidden size={18} />}
          aria-haspopup="dialog"
          onClick={() => setOpen("list")}
        />
      )}
      {open === "list" && (
        <Dialog title={t("office.acts.of", { name })} onClose={close}>
          <div className={styles.list}>
            {ways.map(({ section, Icon, query }) => (
              <LinkButton
                key={section}
                wide
                tone="ghost"
                icon={<Icon aria-hidden size={17} />}
                href={`${paths.office(language, section)}?${new URLSearchParams(query(row))}`}
              >
                {t(`office.section.${section}`)}
              </LinkButton>
            ))}
            {fitting.map((act) => (
              <Button
                key={act.label}
                wide
                tone="secondary"
                icon={<act.Icon aria-hidden size={17} />}
                onClick={() => setOpen(act)}
              >
                {t(act.label)}
              </Button>
            ))}
          </div>
        </Dialog>
      )}
      {typeof open === "object" && <open.Dialog row={row} onClose={close} />}
    </>
  );
}
