import { KeyRound } from "lucide-react";
import { type FormEvent, useState } from "react";
import type { Endpoints } from "../../../contract/api.ts";
import type { Reply } from "../../../contract/endpoint.ts";
import { publicKeyLengthMax } from "../../../contract/limits.ts";
import { api, type Refused } from "../../api.ts";
import { useOfficeText } from "../../language.tsx";
import { Badge } from "../../ui/feedback/Badge.tsx";
import { Button } from "../../ui/button/Button.tsx";
import { TextField, verbatim } from "../../ui/form/Input.tsx";
import { Notice } from "../../ui/feedback/Notice.tsx";
import { SelectField } from "../../ui/form/Select.tsx";
import { CopyLines } from "./CopyLine.tsx";
import styles from "./Setup.module.css";
import { type SetupState, useStepAction } from "./useSetup.ts";
import { setupRefusalText } from "./setupRefusalText.ts";
import { Exact } from "../../ui/display/Exact.tsx";

type Wallet = SetupState["wallets"][number];
type Looked = Reply<Endpoints["checkWalletKey"]>;

export function WalletStep({ setup: { wallets, btcpay } }: { setup: SetupState }) {
  const t = useOfficeText();
  return (
    <>
      <p>{t("setup.wallet.text")}</p>
      {btcpay && <Notice tone="good">{t("setup.wallet.btcpay")}</Notice>}
      <ul className={styles.records}>
        {wallets.map((wallet) => (
          <WalletRow key={wallet.wallet} wallet={wallet} />
        ))}
      </ul>
      <CheckKey wallets={wallets} />
    </>
  );
}

function WalletRow({ wallet: { wallet, address, chains } }: { wallet: Wallet }) {
  const t = useOfficeText();
  const isSet = address !== undefined;
  const isPaid = chains.some(({ missing }) => missing.length === 0);
  const nodes = chains.flatMap(({ missing }) => missing.filter((name) => name.startsWith("CHAIN_")));
  return (
    <li className={styles.record}>
      <p className={styles.recordHead}>
        <span>{t(`setup.wallet.${wallet}`)}</span>
        <Badge tone={isPaid ? "good" : isSet ? "warn" : "plain"}>
          {t(isPaid ? "setup.wallet.onSale" : isSet ? "setup.wallet.noNode" : "setup.wallet.notSet")}
        </Badge>
      </p>
      {isSet && (
        <p className={styles.soft}>
          {t("setup.wallet.first")}{" "}
          <Exact dir="ltr" className={styles.found}>
            {address}
          </Exact>
        </p>
      )}
      {isSet && <CopyLines lines={nodes.map((name) => `${name}=https://`)} />}
    </li>
  );
}

function CheckKey({ wallets }: { wallets: readonly Wallet[] }) {
  const t = useOfficeText();
  const [wallet, setWallet] = useState<Wallet["wallet"]>("evm");
  const [key, setKey] = useState("");
  const [first, setFirst] = useState("");
  const { isBusy, data, refused, forget, run } = useStepAction<Looked>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void run(() => api.checkWalletKey({ wallet, key: key.trim(), first: first.trim() }));
  };
  return (
    <>
      <form noValidate aria-label={t("setup.wallet.check")} className={styles.form} onSubmit={submit}>
        <SelectField
          label={t("setup.wallet.which")}
          choices={wallets.map((each) => ({ value: each.wallet, label: t(`setup.wallet.${each.wallet}`) }))}
          value={wallet}
          onChange={({ target }) => {
            setWallet(target.value as Wallet["wallet"]);
            forget();
          }}
        />
        <TextField
          {...verbatim}
          label={t("setup.wallet.key")}
          error={refused?.value.endsWith(" key") ? setupRefusalText(t, refused) : undefined}
          hint={t("setup.wallet.key.hint")}
          maxLength={publicKeyLengthMax}
          value={key}
          onChange={({ target }) => {
            setKey(target.value);
            forget();
          }}
        />
        <TextField
          {...verbatim}
          label={t("setup.wallet.first")}
          error={refused?.value === "first address" ? setupRefusalText(t, refused) : undefined}
          hint={t("setup.wallet.first.hint")}
          maxLength={publicKeyLengthMax}
          value={first}
          onChange={({ target }) => {
            setFirst(target.value);
            forget();
          }}
        />
        <Button type="submit" busy={isBusy} icon={<KeyRound aria-hidden size={17} />}>
          {t("setup.wallet.check")}
        </Button>
      </form>
      {refused && <Reason refused={refused} />}
      {data && <Addresses looked={data} />}
    </>
  );
}

/** The server's English reason for a bad key; other refusals as usual. */
function Reason({ refused }: { refused: Refused<string> }) {
  const t = useOfficeText();
  const { reason } = refused.more as { reason?: string };
  const isOfForm = refused.value.endsWith(" key") || refused.value === "first address";
  if (!isOfForm) return <Notice tone="bad">{setupRefusalText(t, refused)}</Notice>;
  if (reason === undefined) return null;
  return (
    <Notice tone="bad">
      <span lang="en" dir="ltr">
        {reason}
      </span>
    </Notice>
  );
}

function Addresses({ looked: { addresses, matches, published, lines } }: { looked: Looked }) {
  const t = useOfficeText();
  return (
    <div className={styles.check}>
      <p>{t("setup.wallet.compare")}</p>
      <ol className={styles.addresses}>
        {addresses.map(({ index, address, path }) => (
          <li key={index}>
            <Exact dir="ltr" className={styles.found}>
              {address}
            </Exact>
            <Exact dir="ltr" className={styles.soft}>
              {path}
            </Exact>
          </li>
        ))}
      </ol>
      {matches === undefined && <Notice>{t("setup.wallet.untold")}</Notice>}
      {matches === false && <Notice tone="bad">{t("setup.wallet.mismatch")}</Notice>}
      {published && <Notice tone="bad">{t("setup.wallet.published")}</Notice>}
      {lines.length > 0 && <Notice tone="good">{t("setup.wallet.match")}</Notice>}
      <CopyLines lines={lines} />
    </div>
  );
}
