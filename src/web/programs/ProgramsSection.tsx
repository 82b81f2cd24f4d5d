import type { ReactNode } from "react";
import type { Refused } from "../api.ts";
import { RefusalNotice } from "../RefusalNotice.tsx";
import { Card } from "../ui/layout/Card.tsx";
import { CardHeader } from "../ui/layout/CardHeader.tsx";
import { Loading } from "../ui/feedback/Loading.tsx";

interface ProgramsSectionProps {
  id: string;
  title: string;
  text: string;
  action: ReactNode;
  isLoading: boolean;
  refused: Refused<string> | undefined;
  reload: () => void;
  children: ReactNode;
}

export function ProgramsSection({
  id,
  title,
  text,
  action,
  isLoading,
  refused,
  reload,
  children,
}: ProgramsSectionProps) {
  return (
    <Card flush aria-labelledby={id} aria-busy={isLoading}>
      <CardHeader id={id} title={title} text={text}>
        {action}
      </CardHeader>
      {isLoading && <Loading inset lines={3} />}
      {refused && <RefusalNotice inset refused={refused} onRetry={reload} />}
      {children}
    </Card>
  );
}
