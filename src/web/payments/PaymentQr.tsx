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
  isLarge: boolean;
  onLarge: (isLarge: boolean) => void;
}

// Large enough for cameras: at 160 px the longest URI has 2.3 px for each module, here 4.6.
const largeSize = 320;

/** The QR code beside the instructions and, enlarged, in a dialog: on a phone only there, as it rarely reads its own screen. */
export function PaymentQr({ uri, wallet, isLarge, onLarge }: PaymentQrProps) {
  const t = useAppText();
  const [chosen, setChosen] = useState<QrContent>();
  const content = uri === undefined ? "plain" : (chosen ?? firstQr(uri, wallet));
  const text = content === "whole" && uri !== undefined ? uri : wallet;
  const label = t(content === "whole" ? "pay.qr.payment" : "pay.qr");
  const choice = uri !== undefined && <Choice content={content} onChoose={setChosen} />;
  return (
    <>
      <div className={styles.beside}>
        {choice}
        <QrCode text={text} label={label} />
        <Button
          tone="ghost"
          size="small"
          icon={<Maximize2 aria-hidden size={15} />}
          onClick={() => onLarge(true)}
        >
          {t("pay.qr.enlarge")}
        </Button>
      </div>
      {isLarge && (
        <Dialog title={label} onClose={() => onLarge(false)}>
          <div className={styles.large}>
            {choice}
            <QrCode text={text} label={label} size={largeSize} />
            <code dir="ltr" className={styles.text}>
              {text}
            </code>
          </div>
        </Dialog>
      )}
    </>
  );
}

function Choice({ content, onChoose }: { content: QrContent; onChoose: (content: QrContent) => void }) {
  const t = useAppText();
  return (
    <>
      <Chips label={t("pay.qr.choice")}>
        <Chip chosen={content === "whole"} onClick={() => onChoose("whole")}>
          {t("pay.qr.whole")}
        </Chip>
        <Chip chosen={content === "plain"} onClick={() => onChoose("plain")}>
          {t("pay.qr.plain")}
        </Chip>
      </Chips>
      <p className={styles.note}>{t(content === "whole" ? "pay.qr.whole.text" : "pay.qr.plain.text")}</p>
    </>
  );
}
