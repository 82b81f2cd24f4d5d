import { useDocsText } from "../../language.tsx";
import { useServerData } from "../../serverData.tsx";
import { Button } from "../../ui/button/Button.tsx";
import { calls, type DocumentedCall } from "../calls.ts";
import { TextWithCode } from "../code/CodeSample.tsx";
import { tryValues } from "../sampleValues.ts";
import { RefusalMeaning } from "./CallResultView.tsx";
import type { DocumentedRefusal } from "../calls.ts";
import styles from "./TryIt.module.css";
import { useCall } from "./useCall.ts";

const order = calls.find(({ name }) => name === "orderEmail") as DocumentedCall;

/** Offers a free order at a sandbox site to a call that needs one. */
export function TryFirst() {
  const t = useDocsText();
  const { domains } = useServerData();
  const { isBusy, isLost, tried, send } = useCall(order);
  return (
    <div className={styles.first}>
      <p className={styles.note}>
        <TextWithCode text={t("docs.try.first")} />
      </p>
      <Button
        tone="secondary"
        size="small"
        busy={isBusy}
        onClick={() => void send({ asked: tryValues("orderEmail", domains[0]?.name) })}
      >
        {t("docs.try.first.order")}
      </Button>
      <div role="status">
        {isLost && t("auth.error.connection")}
        {tried?.outcome !== undefined && tried.outcome !== "success" && (
          <RefusalMeaning value={tried.outcome as DocumentedRefusal} />
        )}
      </div>
    </div>
  );
}
