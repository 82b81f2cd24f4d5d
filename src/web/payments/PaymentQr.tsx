import { Maximize2 } from "lucide-react";
import { useState } from "react";
import { useAppText } from "../language.tsx";
import { Button } from "../ui/button/Button.tsx";
import { Chip, Chips } from "../ui/button/Chip.tsx";
import { Dialog } from "../ui/dialog/Dialog.tsx";
import { QrCode } from "../ui/display/QrCode.tsx";
import styles from "./PaymentQr.module.css";
import { firstQr, type QrContent } from "./paymentState.ts";

interface PaymentQrProps {
  uri: string | undefined;
  wallet: string;
}

// Large enough for cameras: at 160 px the longest URI has 2.3 px for each module, here 4.6.
const largeSize = 320;

export function PaymentQr({ uri, wallet }: PaymentQrProps) {
  const t = useAppText();
  const [chosen, setChosen] = useState<QrContent>();
  const [isLarge, setLarge] = useState(false);
  const content = uri === undefined ? "plain" : (chosen ?? firstQr(uri, wallet));
  const text = content === "whole" && uri !== undefined ? uri : wallet;
  const label = t(content === "whole" ? "pay.qr.payment" : "pay.qr");
  return (
    <div className={styles.qr}>
      {uri !== undefined && (
        <Chips label={t("pay.qr.choice")}>
          <Chip chosen={content === "whole"} onClick={() => setChosen("whole")}>
            {t("pay.qr.whole")}
          </Chip>
          <Chip chosen={content === "plain"} onClick={() => setChosen("plain")}>
            {t("pay.qr.plain")}
          </Chip>
        </Chips>
      )}
      <QrCode text={text} label={label} />
      {uri !== undefined && (
        <p className={styles.note}>{t(content === "whole" ? "pay.qr.whole.text" : "pay.qr.plain.text")}</p>
      )}
      <Button
        tone="ghost"
        size="small"
        icon={<Maximize2 aria-hidden size={15} />}
        onClick={() => setLarge(true)}
      >
        {t("pay.qr.enlarge")}
      </Button>
      {isLarge && (
        <Dialog title={label} onClose={() => setLarge(false)}>
          <div className={styles.large}>
            <QrCode text={text} label={label} size={largeSize} />
            <code dir="ltr" className={styles.text}>
              {text}
            </code>
          </div>
        </Dialog>
      )}
    </div>
  );
}
