import { Download } from "lucide-react";
import type { ReactNode } from "react";
import type { Refused } from "./api.ts";
import { Button } from "./ui/button/Button.tsx";
import { toast } from "./ui/feedback/toast.ts";
import { useBusy } from "./useBusy.ts";

interface DownloadButtonProps {
  /** The start of the file name; the day follows. */
  name: string;
  label?: string;
  /** The end of the file name. */
  type?: "csv" | "json";
  fetchFile: () => Promise<{ ok: true; file: Blob } | Refused<string>>;
  refusalText: (refused: Refused<string>) => string;
  children: ReactNode;
}

/** Downloads a file by fetch: a plain link would put the token into the address. */
export function DownloadButton({
  name,
  label,
  type = "csv",
  fetchFile,
  refusalText,
  children,
}: DownloadButtonProps) {
  const [isBusy, whileBusy] = useBusy();
  const download = async () => {
    const answer = await whileBusy(fetchFile);
    const day = new Date().toISOString().slice(0, 10);
    if (answer.ok) downloadFile(answer.file, `postern-${name}-${day}.${type}`);
    else toast("bad", refusalText(answer));
  };
  return (
    <Button
      tone="secondary"
      busy={isBusy}
      aria-label={label}
      icon={<Download aria-hidden size={17} />}
      onClick={() => void download()}
    >
      {children}
    </Button>
  );
}

export function downloadFile(file: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href));
}
