import { FileX } from "lucide-react";
import { useOfficeText } from "../../language.tsx";
import { Button } from "../../ui/button/Button.tsx";
import { EmptyState } from "../../ui/feedback/EmptyState.tsx";

interface PastLastPageProps {
  pages: number;
  onLast: () => void;
}

export function PastLastPage({ pages, onLast }: PastLastPageProps) {
  const t = useOfficeText();
  return (
    <EmptyState
      icon={<FileX aria-hidden size={22} />}
      title={t("office.beyond")}
      action={
        <Button tone="secondary" size="small" onClick={onLast}>
          {t("office.beyond.last", { page: pages })}
        </Button>
      }
    />
  );
}
