import { Banknote, FileText, Inbox, type LucideIcon, Mail, Package, User, Zap } from "lucide-react";
import type { ReactNode } from "react";
import { useLanguage, useOfficeText } from "../../language.tsx";
import { isOfficeObject, type OfficeObject, officeSections, paths } from "../../paths.ts";
import type { PaletteItem } from "../../palette/Palette.tsx";
import { actWords } from "../actions/actForms.ts";
import { batchActions } from "../actions/batches.tsx";
import { orderActions } from "../actions/orders.tsx";
import { paymentActions } from "../actions/payments.tsx";
import { userActions } from "../actions/users.tsx";
import type { RowAction } from "../table/RowActions.tsx";
import { type AnyRow, tableOf } from "../table/tableState.ts";
import { useRows } from "../table/useTable.ts";
import { useMayDo } from "../useMayDo.ts";
import { actAsked, isBegun, numberAsked } from "../../palette/asked.ts";

const shownRows = 4;
const lettersMin = 3;

const icons: Readonly<Record<OfficeObject, LucideIcon>> = {
  user: User,
  order: Inbox,
  payment: Banknote,
  batch: Package,
  letter: Mail,
};

/** What is found by text, and what can be done with it. */
const kinds = [
  { name: "users", object: "user", actions: userActions },
  { name: "orders", object: "order", actions: orderActions },
  { name: "payments", object: "payment", actions: paymentActions },
  { name: "batches", object: "batch", actions: batchActions },
] as const;

type AnyAction = RowAction<AnyRow>;
const actionsOf = (kind: (typeof kinds)[number]) => kind.actions as unknown as readonly AnyAction[];

interface Picked {
  onGo: (href: string) => void;
  onText: (text: string) => void;
  onDialog: (open: (onClose: () => void) => ReactNode) => void;
}

export function usePaletteItems(text: string, settled: string, picked: Picked) {
  const byNumber = useNumberItems(text, picked);
  const objects = useObjectItems(numberAsked(text) ? "" : settled.trim(), picked);
  const acts = useActItems(text, settled, picked);
  const pages = usePageItems(text, picked);
  const items: PaletteItem[] = [...byNumber, ...acts.items, ...objects.items, ...pages];
  const isFetching = objects.isFetching || acts.isFetching;
  return { items, isFetching };
}

/** The page of a number, without a question to the server. */
function useNumberItems(text: string, { onGo }: Picked): PaletteItem[] {
  const t = useOfficeText();
  const language = useLanguage();
  const { id, objects } = numberAsked(text) ?? { id: "", objects: [] };
  return objects.map((object) => ({
    id: `number ${object}`,
    Icon: icons[object],
    kind: t(`office.section.${object}`),
    title: t(`office.object.${object}`, { id }),
    pick: () => onGo(paths.officeObject(language, object, id)),
  }));
}

function useFound(search: string) {
  const isWanted = search.length >= lettersMin || numberAsked(search) !== undefined;
  const ask = (name: (typeof kinds)[number]["name"]) => ({
    search,
    filters: {},
    sort: tableOf(name).sort,
    page: 1,
  });
  // One hook for each kind, always in the same order.
  const [users, orders, payments, batches] = [
    useRows("users", ask("users"), isWanted),
    useRows("orders", ask("orders"), isWanted),
    useRows("payments", ask("payments"), isWanted),
    useRows("batches", ask("batches"), isWanted),
  ];
  const rowsOf = ({ rows, isStale }: typeof users) =>
    isWanted && !isStale ? (rows ?? []).slice(0, shownRows) : [];
  const all = { users, orders, payments, batches };
  return {
    found: kinds.map((kind) => ({ kind, rows: rowsOf(all[kind.name]) })),
    isFetching: Object.values(all).some(({ isFetching }) => isFetching),
  };
}

const numberOf = (row: AnyRow) => `#${String(row["id"])}`;
const nameOf = (row: AnyRow) => (typeof row["email"] === "string" ? row["email"] : numberOf(row));

/** What tells it from others of the same name. */
function noteOf(row: AnyRow): string | undefined {
  const parts = [nameOf(row) === numberOf(row) ? row["coins"] : numberOf(row), row["site"]];
  const texts = parts.filter((part) => typeof part === "string");
  return texts.length === 0 ? undefined : texts.join(" · ");
}

function useObjectItems(search: string, { onGo }: Picked) {
  const t = useOfficeText();
  const language = useLanguage();
  const { found, isFetching } = useFound(search);
  const items = found.flatMap(({ kind: { name, object }, rows }) =>
    rows.map((row) => ({
      id: `${name} ${String(row["id"])}`,
      Icon: icons[object],
      kind: t(`office.section.${object}`),
      title: nameOf(row),
      note: noteOf(row),
      pick: () => onGo(paths.officeObject(language, object, String(row["id"]))),
    })),
  );
  return { items, isFetching };
}

/** "credit someone@example.org" is that act on that account; the word alone asks for whom. */
function useActItems(text: string, settled: string, { onText, onDialog }: Picked) {
  const t = useOfficeText();
  const mayDo = useMayDo();
  const isMeant = (action: AnyAction, verb: string) =>
    mayDo(action) &&
    (isBegun(t(action.label), verb) ||
      (action.act !== undefined && actWords[action.act].some((word) => word.startsWith(verb.toLowerCase()))));
  const asked = actAsked(text);
  const meant = kinds.map((kind) => ({
    kind,
    actions: asked ? actionsOf(kind).filter((action) => isMeant(action, asked.verb)) : [],
  }));
  const isAny = meant.some(({ actions }) => actions.length > 0);
  const { found, isFetching } = useFound(isAny ? (actAsked(settled)?.who ?? "") : "");
  if (!asked || !isAny) return { items: [], isFetching: false };
  const kind = t("office.palette.act");
  if (asked.who === "") {
    const names = new Set(meant.flatMap(({ actions }) => actions.map(({ label }) => label)));
    const items = [...names].map((label) => ({
      id: `act ${label}`,
      Icon: Zap,
      kind,
      title: `${t(label)}…`,
      pick: () => onText(`${asked.verb} `),
    }));
    return { items, isFetching: false };
  }
  const items = meant.flatMap(({ kind: { name }, actions }) =>
    (found.find((one) => one.kind.name === name)?.rows ?? []).flatMap((row) =>
      actions
        .filter((action) => action.fits?.(row) ?? true)
        .map((action) => ({
          id: `act ${action.label} ${name} ${String(row["id"])}`,
          Icon: action.Icon,
          kind,
          title: t("office.act.of", { act: t(action.label), name: nameOf(row) }),
          note: noteOf(row),
          pick: () => onDialog((onClose) => <action.Dialog row={row} onClose={onClose} />),
        })),
    ),
  );
  return { items, isFetching };
}

function usePageItems(text: string, { onGo }: Picked): PaletteItem[] {
  const t = useOfficeText();
  const language = useLanguage();
  const kind = t("office.palette.page");
  return officeSections
    .filter((section) => !isOfficeObject(section))
    .map((section) => ({ section, title: t(`office.section.${section}`) }))
    .filter(({ title }) => text.trim() === "" || isBegun(title, text))
    .map(({ section, title }) => ({
      id: `page ${section}`,
      Icon: FileText,
      kind,
      title,
      pick: () => onGo(paths.office(language, section)),
    }));
}
