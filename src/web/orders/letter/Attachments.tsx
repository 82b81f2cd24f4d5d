import { File, FileArchive, FileText, Film, Image, type LucideIcon, Music, Paperclip } from "lucide-react";
import { fileSize } from "../../format.ts";
import { useAppText, useLanguage } from "../../language.tsx";
import styles from "./Attachments.module.css";
import { type Attachment, type FileKind, fileName, kindOf } from "./letter.ts";

const icons: Record<FileKind, LucideIcon> = {
  picture: Image,
  document: FileText,
  archive: FileArchive,
  sound: Music,
  film: Film,
  other: File,
};

/** The file names of a letter; the shop does not keep the files. */
export function Attachments({ files }: { files: readonly Attachment[] }) {
  const t = useAppText();
  const language = useLanguage();
  return (
    <section tabIndex={0} aria-label={t("letter.attachments")} className={styles.attachments}>
      <p className={styles.title}>
        <Paperclip aria-hidden size={15} className={styles.icon} />
        <span>{t("letter.attachments.count", { count: files.length })}</span>
        <span className={styles.note}>{t("letter.attachments.note")}</span>
      </p>
      <ul className={styles.files}>
        {files.map(({ name, type, size }, at) => {
          const Icon = icons[kindOf(type)];
          return (
            <li key={at} className={styles.file} title={type}>
              <Icon aria-hidden size={16} className={styles.icon} />
              <bdi>{fileName(name) || type}</bdi>
              <bdi className={styles.size}>{fileSize(language, size)}</bdi>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
