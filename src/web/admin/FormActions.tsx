import { useOfficeText } from "../language.tsx";
import { Button } from "../ui/button/Button.tsx";
import styles from "./Admin.module.css";

interface FormActionsProps {
  editing: string | undefined;
  isSaving: boolean;
  save: string;
  remove: string;
  onRemove: (id: string) => void;
  onFinish: () => void;
}

export function FormActions({ editing, isSaving, save, remove, onRemove, onFinish }: FormActionsProps) {
  const t = useOfficeText();
  return (
    <div className={styles.actions}>
      <Button type="submit" busy={isSaving}>
        {editing === undefined ? save : t("editor.update")}
      </Button>
      {editing !== undefined && (
        <>
          <Button tone="secondary" onClick={() => onRemove(editing)}>
            {remove}
          </Button>
          <Button tone="ghost" onClick={onFinish}>
            {t("editor.finish")}
          </Button>
        </>
      )}
    </div>
  );
}
