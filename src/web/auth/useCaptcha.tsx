import { useState } from "react";
import { Captcha } from "./Captcha.tsx";

interface UsedCaptcha {
  payload: string;
  /** A solution counts once: call this after a refusal. */
  renew: () => void;
  round: number;
  solve: (payload: string) => void;
  begins: boolean;
  /** Call it when the visitor types: the proof of work begins. */
  begin: () => void;
}

/** `isFilled`: the form opens with what was typed in another, so the proof of work begins at once. */
export function useCaptcha(isFilled = false): UsedCaptcha {
  const [payload, solve] = useState("");
  const [round, setRound] = useState(0);
  const [begins, setBegins] = useState(isFilled);
  const renew = () => {
    solve("");
    setRound(round + 1);
  };
  return { payload, renew, round, solve, begins, begin: () => setBegins(true) };
}

export function CaptchaField({ captcha, error }: { captcha: UsedCaptcha; error: string | undefined }) {
  const { payload, round, solve, begins } = captcha;
  return (
    <div data-field="captcha">
      <Captcha key={round} begins={begins} onSolved={solve} error={payload === "" ? error : undefined} />
    </div>
  );
}
