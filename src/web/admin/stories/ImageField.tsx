import { ImageUp } from "lucide-react";
import { useRef } from "react";
import { urlLengthMax } from "../../../contract/limits.ts";
import { useOfficeText } from "../../language.tsx";
import { Button } from "../../ui/button/Button.tsx";
import { TextField, verbatim } from "../../ui/form/Input.tsx";
import { ProgressBar } from "../../ui/feedback/ProgressBar.tsx";
import styles from "../Admin.module.css";
import { useEditorRefusalText } from "../editorRefusalText.ts";
import { imageTypes, useImageUpload } from "./useImageUpload.ts";

const example = "/media/…";

interface ImageFieldProps {
  label: string;
  value: string;
  onChange: (image: string) => void;
}

export function ImageField({ label, value, onChange }: ImageFieldProps) {
  const t = useOfficeText();
  const refusalText = useEditorRefusalText();
  const chooser = useRef<HTMLInputElement>(null);
  const { upload, send, cancel } = useImageUpload(onChange);
  const isLoading = upload.state === "loading";
  const refused = upload.state === "idle" ? upload.refused : undefined;
  return (
    <div className={styles.image}>
      <TextField
        label={label}
        hint={t("editor.image.hint")}
        error={refused && refusalText(refused)}
        {...verbatim}
        placeholder={example}
        maxLength={urlLengthMax}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
      <input
        ref={chooser}
        type="file"
        hidden
        accept={imageTypes.join()}
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          if (file) void send(file);
          // Lets the user choose the same file again.
          event.target.value = "";
        }}
      />
      <div className={styles.actions}>
        <Button
          tone="secondary"
          size="small"
          busy={isLoading}
          icon={<ImageUp aria-hidden size={16} />}
          onClick={() => chooser.current?.click()}
        >
          {t("editor.image.upload")}
        </Button>
        {isLoading && (
          <Button tone="ghost" size="small" onClick={cancel}>
            {t("ui.cancel")}
          </Button>
        )}
      </div>
      {isLoading && (
        <ProgressBar
          label={t(upload.sent < 1 ? "editor.image.sending" : "editor.image.reading")}
          done={upload.sent}
        />
      )}
    </div>
  );
}
