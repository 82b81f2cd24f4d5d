import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../api.ts";
import { useOfficeText } from "../../language.tsx";
import { RefusalNotice } from "../../RefusalNotice.tsx";
import { dataOf, refusedBy } from "../../serverState.tsx";
import { Skeleton } from "../../ui/feedback/Skeleton.tsx";
import { Switch } from "../../ui/form/Switch.tsx";
import { Card } from "../../ui/layout/Card.tsx";

const queryKey = ["office", "summary"];

/** Whether the reader gets the summary by mail: a choice of his own. */
export function DailySummary() {
  const t = useOfficeText();
  const client = useQueryClient();
  const [fault, setFault] = useState<Error | null>(null);
  const summary = useQuery({
    queryKey,
    queryFn: async ({ signal }) => (await dataOf(api.dailySummary({}, { signal }))).data,
  });
  const choose = async (isWanted: boolean) => {
    setFault(null);
    try {
      const { data } = await dataOf(api.setDailySummary({ wanted: isWanted ? "1" : "0" }));
      client.setQueryData(queryKey, data);
    } catch (cause) {
      setFault(cause as Error);
    }
  };
  const refused = refusedBy(fault ?? (summary.data ? null : summary.error));
  return (
    <Card aria-busy={!summary.data}>
      {refused && <RefusalNotice refused={refused} onRetry={() => void summary.refetch()} />}
      {summary.data ? (
        <Switch
          label={t("office.summary")}
          hint={t("office.summary.text")}
          checked={summary.data.wanted}
          onChange={(isWanted) => void choose(isWanted)}
        />
      ) : (
        !refused && <Skeleton height="3.5rem" />
      )}
    </Card>
  );
}
