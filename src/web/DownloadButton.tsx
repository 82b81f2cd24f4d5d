import { Download } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { Refused } from "./api.ts";
import { downloadFile } from "./downloadFile.ts";
import { Button } from "./ui/button/Button.tsx";
import { toast } from "./ui/feedback/toast.ts";

interface DownloadButtonProps {
  /** Of the file, before the day. */
  name: string;
  label?: string;
  fetchFile: () => Promise<{ ok: true; file: Blob } | Refused<string>>;
  refusalText: (refused: Refused<string>) => string;
  children: ReactNode;
}

/** Fetches a CSV file and hands it to the browser: a link could not carry the token but in its address. */
export function DownloadButton({ name, label, fetchFile, refusalText, children }: DownloadButtonProps) {
  const [isBusy, setBusy] = useState(false);
  const download = async () => {
    setBusy(true);
    const answer = await fetchFile();
    setBusy(false);
    if (answer.ok) downloadFile(answer.file, `postern-${name}-${new Date().toISOString().slice(0, 10)}.csv`);
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
