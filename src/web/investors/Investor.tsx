import { useCallback, useState } from "react";
import { AddBatch } from "./AddBatch.tsx";
import { Batches } from "./Batches.tsx";
import { EarningsCard } from "./EarningsCard.tsx";

/** The dashboard in investor mode: batches and earnings (spec O §2). */
export function Investor() {
  const [page, setPage] = useState(1);
  const showNewest = useCallback(() => setPage(1), []);
  return (
    <>
      <EarningsCard />
      <AddBatch onStored={showNewest} />
      <Batches page={page} onPage={setPage} />
    </>
  );
}
