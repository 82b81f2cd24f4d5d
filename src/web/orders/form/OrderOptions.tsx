import { SlidersHorizontal } from "lucide-react";
import { Suspense } from "react";
import { useAppText } from "../../language.tsx";
import { stored, useStored } from "../../stored.ts";
import { Badge } from "../../ui/feedback/Badge.tsx";
import { Disclosure } from "../../ui/layout/Disclosure.tsx";
import styles from "./LetterFilter.module.css";
import { NoteField } from "../note/NoteField.tsx";
import { RegexField, SubjectField } from "./LetterFilter.tsx";
import { ErrorBoundary } from "../../ErrorBoundary.tsx";
import { lazyPart } from "../../lazyPart.tsx";
import type { OrderForm } from "./useOrderForm.ts";

const SkipList = lazyPart(async () => (await import("../skips/SkipList.tsx")).SkipList);

export function OrderOptions({ form }: { form: OrderForm }) {
  const t = useAppText();
  const [open, setOpen] = useStored(stored.showSubject);
  const used = [form.subject, form.regex, form.note].filter((text) => text !== "").length;
  return (
    <Disclosure
      open={open}
      onToggle={setOpen}
      icon={<SlidersHorizontal aria-hidden size={16} />}
      title={t("order.options")}
      badge={used > 0 && <Badge tone="accent">{used}</Badge>}
    >
      <div className={styles.fields}>
        <SubjectField value={form.subject} onChange={form.setSubject} />
        <RegexField value={form.regex} onChange={form.setRegex} />
        <NoteField value={form.note} onChange={form.setNote} />
        {open && (
          <ErrorBoundary quiet>
            <Suspense>
              <SkipList />
            </Suspense>
          </ErrorBoundary>
        )}
      </div>
    </Disclosure>
  );
}
