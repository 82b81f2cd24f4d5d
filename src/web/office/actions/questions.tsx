import { Reply } from "lucide-react";
import type { Row } from "../table/tableState.ts";
import { actsOn } from "./ActDialog.tsx";

export const questionActions = [
  actsOn<Row<"questions">>()({
    act: "answerQuestion",
    title: "office.question.answer",
    says: "office.question.says",
    done: "office.question.done",
    Icon: Reply,
    fits: ({ state }) => state === "waits",
    of: ({ id }) => ({ id: id ?? "" }),
    holes: ({ user, email, text }) => ({ name: email ?? `#${user ?? ""}`, text: text ?? "" }),
  }),
];
