import { CirclePause, CirclePlay, Plus, Server, Tag, Warehouse } from "lucide-react";
import type { RowAction } from "../table/RowActions.tsx";
import type { Row } from "../table/tableState.ts";
import { actsOn } from "./ActDialog.tsx";
import { registerHost } from "./hosts.tsx";

const act = actsOn<Row<"domains">>();

const nameIn = ({ name }: Row<"domains">) => ({ name: name ?? "" });

const addStock = act({
  act: "addStock",
  title: "office.stock.add",
  says: "office.stock.says",
  done: "office.stock.added",
  Icon: Warehouse,
  fits: ({ kind }) => kind === "own",
  of: ({ name }) => ({ domain: name ?? "" }),
  holes: ({ name, mailboxes }) => ({ name: name ?? "", count: mailboxes ?? 0 }),
  result: ({ added, mailboxes }) => ({ count: added, mailboxes }),
});

const addHost = registerHost<Row<"domains">>({
  title: "office.host.add",
  Icon: Server,
  fits: ({ kind, imap }) => kind === "hosted" && imap === null,
  start: ({ name }) => ({ domain: name }),
});

export const domainTableActions = [
  actsOn<undefined>()({
    act: "addDomain",
    title: "office.domain.add",
    done: "office.domain.added",
    Icon: Plus,
    result: ({ name }) => ({ name }),
    // Without mailboxes, or the server that has them, nothing of it is for sale.
    next: ({ name, kind }, onClose) => {
      const { Dialog } = kind === "own" ? addStock : addHost;
      return <Dialog row={{ name, kind, mailboxes: 0 } as Row<"domains">} onClose={onClose} />;
    },
  }),
];

export const domainActions: readonly RowAction<Row<"domains">>[] = [
  act({
    act: "changeDomain",
    title: "office.domain.price",
    done: "office.domain.priced",
    Icon: Tag,
    of: ({ name }) => ({ name: name ?? "", on: undefined }),
    start: ({ price }) => ({ price }),
    fields: { price: { isNeeded: true } },
    holes: ({ name, price }, { money }) => ({ name: name ?? "", before: money(price) }),
    result: ({ price }, { money }) => ({ after: money(price) }),
  }),
  act({
    act: "changeDomain",
    title: "office.domain.on",
    Icon: CirclePlay,
    fits: ({ on }) => on === false,
    of: ({ name }) => ({ name: name ?? "", price: undefined, on: true }),
    holes: nameIn,
  }),
  act({
    act: "changeDomain",
    title: "office.domain.off",
    Icon: CirclePause,
    fits: ({ on }) => on === true,
    isDangerous: true,
    of: ({ name }) => ({ name: name ?? "", price: undefined, on: false }),
    holes: nameIn,
  }),
  addStock,
  addHost,
  registerHost<Row<"domains">>({
    title: "office.host.change",
    Icon: Server,
    fits: ({ kind, imap }) => kind === "hosted" && imap !== null,
    start: ({ name, imap, tls }) => ({ domain: name, imap, tls }),
  }),
];
