import { Info } from "lucide-react";
import { useAppText } from "../../language.tsx";
import { Badge } from "../../ui/feedback/Badge.tsx";
import { type ItemState, toneOf } from "./activations.ts";
import styles from "./OrderStateButton.module.css";
import { stateText } from "./stateText.ts";

interface OrderStateButtonProps {
  state: ItemState;
  email: string;
  onPress: () => void;
}

export function OrderStateButton({ state, email, onPress }: OrderStateButtonProps) {
  const t = useAppText();
  const words = t(stateText(state));
  return (
    <button
      type="button"
      className={styles.button}
      aria-haspopup="dialog"
      aria-label={`${words}. ${t("timeline.of", { email })}`}
      title={t("timeline.title")}
      onClick={onPress}
    >
      <Badge tone={toneOf(state)} after={<Info aria-hidden />}>
        {words}
      </Badge>
    </button>
  );
}
