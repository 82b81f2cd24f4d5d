import { Inbox, RotateCw } from "lucide-react";
import { useState } from "react";
import { useAppText } from "../language.tsx";
import { refusalText } from "../refusalText.ts";
import { toast } from "../ui/toast.ts";
import { useAtLeast } from "../ui/atLeast.ts";
import { Empty } from "../ui/Empty.tsx";
import { IconButton } from "../ui/IconButton.tsx";
import { Notice } from "../ui/Notice.tsx";
import { Pager } from "../ui/Pager.tsx";
import { Spinner } from "../ui/Spinner.tsx";
import styles from "./Activations.module.css";
import { ActivationRow } from "./ActivationRow.tsx";
import { type Item, isWaiting } from "./activations.ts";
import type { Desk } from "./desk.ts";
import { LetterDialog } from "./LetterDialog.tsx";
import { ReorderDialog } from "./ReorderDialog.tsx";
import { RowBones } from "./RowBones.tsx";
import { TimelineDialog } from "./TimelineDialog.tsx";

const spinnerMilliseconds = 1000;

interface ActivationsProps {
  desk: Desk;
  fresh: ReadonlySet<string>;
  onTopUp: (missingDollars: number) => void;
}

/** The living activations of the account, newest first (spec B §2). */
export function Activations({ desk, fresh, onTopUp }: ActivationsProps) {
  const t = useAppText();
  const [open, setOpen] = useState<Item>();
  const [told, setTold] = useState<Item>();
  const [again, setAgain] = useState<Item>();
  const reorder = async (item: Item) => {
    if (item.id === undefined) return;
    const { id, site, email, price } = item;
    const refused = await desk.reorder({ id, site, email }, "", "");
    if (!refused) return;
    toast("bad", t("reorder.error", { reason: refusalText(t, refused) }));
    if (refused.value === "no balance") onTopUp(Number(refused.more.missing ?? price ?? 0));
  };
  const cancel = async (item: Item) => {
    if (item.id === undefined) return;
    const refused = await desk.cancel(item.id);
    if (refused) toast("bad", t("cancel.error", { reason: refusalText(t, refused) }));
    else toast("good", t(isWaiting(item) ? "cancel.refunded" : "cancel.removed", { email: item.email }));
  };
  return (
    <>
      <Bar desk={desk} />
      <List
        desk={desk}
        fresh={fresh}
        acts={{
          open: setOpen,
          timeline: setTold,
          reload: desk.reload,
          reorder,
          reorderWith: setAgain,
          cancel: (item) => void cancel(item),
        }}
      />
      <Pager page={desk.page} pages={desk.pages} onPage={desk.setPage} />
      {open && (
        <LetterDialog
          item={open}
          onClose={() => setOpen(undefined)}
          onTimeline={() => {
            setOpen(undefined);
            setTold(open);
          }}
        />
      )}
      {told && <TimelineDialog item={told} onClose={() => setTold(undefined)} />}
      {again && (
        <ReorderDialog item={again} desk={desk} onClose={() => setAgain(undefined)} onTopUp={onTopUp} />
      )}
    </>
  );
}

/** Says that the list looks after itself, and looks again when asked to. */
function Bar({ desk }: { desk: Desk }) {
  const t = useAppText();
  const [isAsking, setAsking] = useState(false);
  const spins = useAtLeast(isAsking, spinnerMilliseconds);
  const waiting = desk.items.filter(isWaiting).length;
  const reload = async () => {
    setAsking(true);
    await desk.reload();
    setAsking(false);
  };
  return (
    <div className={styles.bar}>
      <p className={styles.live}>
        {waiting > 0 && <span aria-hidden className={styles.pulse} />}
        {waiting > 0
          ? t("activations.waiting", { count: waiting })
          : t(desk.isLoading ? "activations.loading" : "activations.idle")}
      </p>
      <IconButton
        label={t("activations.refresh")}
        icon={spins ? <Spinner size={17} /> : <RotateCw aria-hidden size={17} />}
        aria-busy={spins}
        onClick={() => void reload()}
      />
    </div>
  );
}

function List({
  desk,
  fresh,
  acts,
}: Pick<ActivationsProps, "desk" | "fresh"> & { acts: Parameters<typeof ActivationRow>[0]["acts"] }) {
  const t = useAppText();
  const trouble = desk.refused && (
    <div className={styles.trouble}>
      <Notice tone="warn">{refusalText(t, desk.refused)}</Notice>
    </div>
  );
  if (desk.isLoading) return trouble ?? <RowBones label={t("activations.loading")} />;
  if (desk.items.length === 0) {
    return (
      <>
        {trouble}
        <Empty icon={<Inbox aria-hidden size={22} />} title={t("activations.empty")}>
          {t("activations.empty.text")}
        </Empty>
      </>
    );
  }
  return (
    <>
      {trouble}
      <ul aria-label={t("activations.title")} className={styles.list}>
        {desk.items.map((item) => (
          <ActivationRow
            key={item.key}
            item={item}
            isFresh={item.id !== undefined && fresh.has(item.id)}
            acts={acts}
          />
        ))}
      </ul>
    </>
  );
}
