import { type ChangeEvent, useEffect, useEffectEvent, useRef, useState } from "react";

/** A picker that takes the kept choice, unless another was made before this script came. One that it does not have is told. */
export function useChoice(fallback: string, kept: string, onOther?: (kept: string) => void) {
  const select = useRef<HTMLSelectElement>(null);
  const [chosen, setChosen] = useState(fallback);
  const choose = (value: string) => {
    if (select.current) select.current.value = value;
    setChosen(value);
  };
  const take = useEffectEvent((value: string) => {
    const element = select.current;
    if (!element) return;
    if (value === "" || element.value !== fallback) return setChosen(element.value);
    if ([...element.options].some((option) => option.value === value)) choose(value);
    else onOther?.(value);
  });
  useEffect(() => take(kept), [kept]);
  const onChange = ({ target }: ChangeEvent<HTMLSelectElement>) => setChosen(target.value);
  return { select, chosen, choose, onChange };
}
