import { Download } from "lucide-react";
import { fetchFile } from "../../api.ts";
import { downloadFile } from "../../DownloadButton.tsx";
import { useAppText } from "../../language.tsx";
import { refusalText } from "../../refusalText.ts";
import { toast } from "../../ui/feedback/toast.ts";
import { useBusy } from "../../useBusy.ts";
import { HeadAct } from "./HeadAct.tsx";

export interface SourceOf {
  id: string;
  letterId: string;
}

/** The bytes of a letter as they came. */
export const sourceOf = ({ id, letterId }: SourceOf) => fetchFile("letterSource", { id, letter: letterId });

/** Saves a letter as a file. */
export function SaveButton({ id, letterId }: SourceOf) {
  const t = useAppText();
  const [isBusy, whileBusy] = useBusy();
  const save = async () => {
    const answer = await whileBusy(() => sourceOf({ id, letterId }));
    if (answer.ok) downloadFile(answer.file, `letter-${letterId}.eml`);
    else toast("bad", answer.value === "no letter" ? t("letter.gone") : refusalText(t, answer));
  };
  return (
    <HeadAct busy={isBusy} icon={<Download aria-hidden size={17} />} onClick={() => void save()}>
      {t("letter.save")}
    </HeadAct>
  );
}
