import { CircleSlash } from "lucide-react";
import { RowAct } from "../acts/RowAct.tsx";
import { useSkip } from "./useSkips.ts";

/** The act of an order that ended without a letter: its mail domain is not taken again for its site, for a week. */
export function SkipAct({ order }: { order: { site: string; email: string } }) {
  const { isBusy, words, press } = useSkip(order);
  return (
    <RowAct
      words={words}
      busy={isBusy}
      icon={<CircleSlash aria-hidden size={16} />}
      onClick={isBusy ? undefined : () => void press()}
    />
  );
}
