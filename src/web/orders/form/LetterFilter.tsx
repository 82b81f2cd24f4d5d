import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { regexLengthMax, subjectLengthMax } from "../../../contract/limits.ts";
import { useAppText } from "../../language.tsx";
import { stored, useStored } from "../../stored.ts";
import { Chip, Chips } from "../../ui/button/Chip.tsx";
import { TextField, verbatim } from "../../ui/form/Input.tsx";
import styles from "./LetterFilter.module.css";
import {
  builtInSubjects,
  firstWord,
  rememberPattern,
  rememberSubject,
  patternError,
} from "./filterPresets.ts";

const presetMilliseconds = 600;

interface FilterProps {
  value: string;
  onChange: (value: string) => void;
  isFirst?: boolean;
}

export function SubjectField({ value, onChange, isFirst }: FilterProps) {
  const t = useAppText();
  const [own, setOwn] = useStored(stored.customSubjects);
  return (
    <div className={styles.field}>
      <TextField
        label={t("order.subject")}
        hint={t("order.subject.hint")}
        data-autofocus={isFirst || undefined}
        dir="auto"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={subjectLengthMax}
        value={value}
        onChange={(event) => onChange(firstWord(event.target.value))}
        onBlur={() => setOwn(rememberSubject(own, value))}
      />
      <Chips label={t("order.subject.suggestions")}>
        {own.map((word) => (
          <Chip
            key={word}
            chosen={word === value}
            onClick={() => onChange(word)}
            onRemove={() => setOwn(own.filter((other) => other !== word))}
            removeLabel={t("order.forget", { text: word })}
          >
            {word}
          </Chip>
        ))}
        {builtInSubjects.map((word) => (
          <Chip key={word} chosen={word === value} onClick={() => onChange(word === value ? "" : word)}>
            {word}
          </Chip>
        ))}
      </Chips>
    </div>
  );
}

async function rememberIfRight(pattern: string): Promise<void> {
  if (pattern === "" || (await patternError(pattern)) !== "") return;
  stored.customRegexPresets.write(rememberPattern(stored.customRegexPresets.read(), pattern));
}

/** A pattern that the text must match; remembered 600 ms after the last key if it compiles (spec B §5). */
export function RegexField({ value, onChange }: Omit<FilterProps, "isFirst">) {
  const t = useAppText();
  const [presets, setPresets] = useStored(stored.customRegexPresets);
  const isTyped = useRef(false);
  // If the engine does not load, only the server validates.
  const { data: wrong = "" } = useQuery({
    queryKey: ["pattern", value],
    queryFn: () => patternError(value),
    enabled: value !== "",
    staleTime: Infinity,
  });
  useEffect(() => {
    if (!isTyped.current) return;
    const timer = setTimeout(() => {
      isTyped.current = false;
      void rememberIfRight(value);
    }, presetMilliseconds);
    return () => clearTimeout(timer);
  }, [value]);
  return (
    <div className={styles.field}>
      <TextField
        code
        label={t("order.regex")}
        hint={t("order.regex.hint")}
        error={value !== "" && wrong !== "" ? t("order.regex.broken") : undefined}
        {...verbatim}
        placeholder="(\d{6})"
        maxLength={regexLengthMax}
        value={value}
        onChange={(event) => {
          isTyped.current = true;
          onChange(event.target.value);
        }}
      />
      {presets.length > 0 && (
        <Chips label={t("order.regex.presets")}>
          {presets.map((pattern) => (
            <Chip
              key={pattern}
              chosen={pattern === value}
              onClick={() => onChange(pattern === value ? "" : pattern)}
              onRemove={() => setPresets(presets.filter((other) => other !== pattern))}
              removeLabel={t("order.forget", { text: pattern })}
            >
              <code dir="ltr" className={styles.pattern}>
                {pattern}
              </code>
            </Chip>
          ))}
        </Chips>
      )}
    </div>
  );
}
