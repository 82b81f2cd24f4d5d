import type { Refused } from "../api.ts";
import { isolated } from "../format.ts";
import { useAccountText } from "../language.tsx";
import { refusalText } from "../refusalText.ts";
import { Notice } from "../ui/feedback/Notice.tsx";
import { type Rejected, rejectedIn } from "./batches.ts";
import { RejectedLines } from "./RejectedLines.tsx";
import type { Upload, Uploaded } from "./useUpload.ts";
import { Exact } from "../ui/display/Exact.tsx";

export function UploadResult({ upload }: { upload: Upload }) {
  if (upload.state === "success") return <StoredResult result={upload.result} />;
  return upload.state === "idle" && upload.refused ? <RefusedResult refused={upload.refused} /> : null;
}

function StoredResult({ result }: { result: Uploaded }) {
  const t = useAccountText();
  return (
    <Notice tone="good" title={t("investor.stored", { id: isolated(result.id_batch) })}>
      <p>{t("investor.stored.taken", { number: result.accepted })}</p>
      {result.domains.length > 0 && (
        <p>
          {t("investor.count.domains")}: <Exact>{result.domains.join(", ")}</Exact>
        </p>
      )}
      <NotTaken rejected={result.rejected} />
    </Notice>
  );
}

interface More {
  rejected?: Rejected;
  invalid?: string[];
}

function RefusedResult({ refused }: { refused: Refused<string> }) {
  const t = useAccountText();
  if (refused.value === "connection") {
    return (
      <Notice tone="bad" title={t("investor.error.sending")}>
        {t("investor.error.again")}
      </Notice>
    );
  }
  const value = refused.value === "server" ? t("investor.error.unknown") : isolated(refused.value);
  const { rejected, invalid } = refused.more as More;
  return (
    <Notice tone="bad" title={t("investor.error", { value })}>
      <p>
        {invalid === undefined
          ? refusalText(t, refused)
          : t("investor.error.sites", { sites: isolated(invalid.join(", ")) })}
      </p>
      {rejected && <NotTaken rejected={rejected} />}
    </Notice>
  );
}

function NotTaken({ rejected }: { rejected: Rejected }) {
  const t = useAccountText();
  const number = rejectedIn(rejected);
  if (number === 0) return null;
  return (
    <>
      <p>{t("investor.rejected", { number })}</p>
      <RejectedLines rejected={rejected} />
      {rejected.duplicate > 0 && <p>{t("investor.rejected.yours")}</p>}
    </>
  );
}
