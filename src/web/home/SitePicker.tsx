import { useEffect, useRef, useState } from "react";
import { useText } from "../language.tsx";
import { Chip, Chips } from "../ui/button/Chip.tsx";
import { TextField, verbatim } from "../ui/form/Input.tsx";
import { SelectField } from "../ui/form/Select.tsx";
import { quickServices, services } from "./pendingRequest.ts";
import { useChoice } from "./useChoice.ts";
import styles from "./RequestForm.module.css";

interface SitePickerProps {
  /** The choice kept on this device; empty without one. */
  kept: string;
  /** That of a site of one's own. */
  error: string | undefined;
  onTyped: () => void;
}

/** The services of the specification, `any` first (spec B §2), or in their place a site of one's own. */
export function SitePicker({ kept, error, onTyped }: SitePickerProps) {
  const t = useText();
  const [own, setOwn] = useState<string>();
  const { select, chosen, choose, onChange } = useChoice("any", kept, setOwn);
  const isOwn = own !== undefined;
  return (
    <div className={styles.site}>
      {/* Kept with what it shows: a choice may be older than this script. */}
      <div hidden={isOwn}>
        <SelectField
          ref={select}
          label={t("home.service")}
          name="from"
          onChange={onChange}
          choices={[
            { value: "any", label: t("home.service.any") },
            ...Object.entries(services).map(([value, label]) => ({ value, label })),
          ]}
        />
      </div>
      {isOwn && (
        <OwnSite
          value={own}
          error={error}
          onChange={(typed) => {
            setOwn(typed);
            onTyped();
          }}
        />
      )}
      <Chips label={t("home.service.quick")}>
        {quickServices.map((service) => (
          <Chip
            key={service}
            chosen={!isOwn && chosen === service}
            onClick={() => {
              setOwn(undefined);
              choose(service);
            }}
          >
            {services[service]}
          </Chip>
        ))}
        <Chip chosen={isOwn} onClick={() => setOwn(isOwn ? undefined : "")}>
          {t("home.service.another")}
        </Chip>
      </Chips>
    </div>
  );
}

interface OwnSiteProps {
  value: string;
  error: string | undefined;
  onChange: (typed: string) => void;
}

function OwnSite({ value, error, onChange }: OwnSiteProps) {
  const t = useText();
  const field = useRef<HTMLInputElement>(null);
  // One that was asked for by a press is empty.
  useEffect(() => {
    if (field.current?.value === "") field.current.focus();
  }, []);
  return (
    <TextField
      ref={field}
      {...verbatim}
      label={t("home.service.own")}
      name="own"
      inputMode="url"
      placeholder="example.com"
      value={value}
      error={error}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}
