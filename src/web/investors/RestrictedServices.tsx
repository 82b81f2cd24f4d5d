import { X } from "lucide-react";
import { useId, useState } from "react";
import { restrictedSitesMax } from "../../contract/limits.ts";
import { useAccountText } from "../language.tsx";
import { Chip, Chips } from "../ui/button/Chip.tsx";
import { TextField, verbatim } from "../ui/form/Input.tsx";
import styles from "./Investor.module.css";
import { type Added, addServices, cleanServices, pastedServices } from "./restrictedServices.ts";

interface RestrictedServicesProps {
  services: readonly string[];
  disabled: boolean;
  onChange: (services: readonly string[]) => void;
}

const example = "google.com";

/** Services that must not use the batch: Enter adds one, pointer or keys remove it (spec O §2, §5). */
export function RestrictedServices({ services, disabled, onChange }: RestrictedServicesProps) {
  const t = useAccountText();
  const box = useId();
  const [typed, setTyped] = useState("");
  const [added, setAdded] = useState<Added>();
  const type = (text: string) => {
    setTyped(cleanServices(text));
    setAdded(undefined);
  };
  const add = () => {
    const outcome = addServices(services, typed);
    onChange(outcome.services);
    setTyped(outcome.left);
    setAdded(outcome);
  };
  const remove = (service: string) => {
    onChange(services.filter((one) => one !== service));
    setAdded(undefined);
  };
  const why =
    added?.trouble && t(`investor.services.${added.trouble}`, { host: example, max: restrictedSitesMax });
  return (
    <div id={box} className={styles.services}>
      <TextField
        label={t("investor.services")}
        hint={t("investor.services.hint")}
        error={why && (added.some ? `${t("investor.services.some")} ${why}` : why)}
        {...verbatim}
        type="text"
        inputMode="url"
        enterKeyHint="done"
        placeholder="facebook.com, x.com"
        disabled={disabled}
        value={typed}
        onChange={(event) => type(event.target.value)}
        onPaste={(event) => {
          const { selectionStart, selectionEnd, value } = event.currentTarget;
          event.preventDefault();
          const pasted = pastedServices(event.clipboardData.getData("text"));
          type(value.slice(0, selectionStart ?? 0) + pasted + value.slice(selectionEnd ?? 0));
        }}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
          event.preventDefault();
          add();
        }}
      />
      {services.length > 0 && (
        <ServiceChips box={box} services={services} disabled={disabled} onRemove={remove} />
      )}
    </div>
  );
}

interface NamedProps extends Pick<RestrictedServicesProps, "services" | "disabled"> {
  box: string;
  onRemove: (service: string) => void;
}

function ServiceChips({ box, services, disabled, onRemove }: NamedProps) {
  const t = useAccountText();
  return (
    <Chips label={t("investor.services.list")}>
      {services.map((service) => (
        <Chip
          key={service}
          dir="ltr"
          disabled={disabled}
          aria-label={t("investor.services.remove", { service })}
          title={t("investor.services.remove", { service })}
          onClick={(event) => {
            leave(event.currentTarget, box);
            onRemove(service);
          }}
          onKeyDown={(event) => {
            if (event.key !== "Delete" && event.key !== "Backspace") return;
            event.preventDefault();
            event.currentTarget.click();
          }}
        >
          {service}
          <X aria-hidden size={13} />
        </Chip>
      ))}
    </Chips>
  );
}

/** Moves the focus to the next chip before its removal; from the last one to the input. */
function leave(chip: HTMLElement, box: string) {
  const chips = [...document.querySelectorAll<HTMLElement>(`#${CSS.escape(box)} [role="group"] button`)];
  const at = chips.indexOf(chip);
  const input = document.querySelector<HTMLElement>(`#${CSS.escape(box)} input`);
  (chips[at + 1] ?? chips[at - 1] ?? input)?.focus();
}
