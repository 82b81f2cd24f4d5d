import { Suspense, useCallback, useState } from "react";
import { useServerData } from "../serverData.tsx";
import { WithdrawalList } from "../withdrawals/lazy.tsx";
import { AddBatch } from "./AddBatch.tsx";
import { Batches } from "./Batches.tsx";
import { EarningsCard, EarningsOfDays } from "./EarningsCard.tsx";

/** The dashboard in investor mode: batches and earnings (spec O §2). */
export function Investor() {
  const [page, setPage] = useState(1);
  const isOffered = useServerData().withdrawals === "on";
  const showNewest = useCallback(() => setPage(1), []);
  return (
    <>
      <EarningsCard />
      {isOffered && (
        <Suspense fallback={null}>
          <WithdrawalList />
        </Suspense>
      )}
      <AddBatch onStored={showNewest} />
      <Batches page={page} onPage={setPage} />
      <EarningsOfDays />
    </>
  );
}
