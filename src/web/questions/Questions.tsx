import { useQuery, useQueryClient } from "@tanstack/react-query";
import { MessageCircleQuestion } from "lucide-react";
import { type FormEvent, useState } from "react";
import type { Endpoints } from "../../contract/api.ts";
import type { Reply } from "../../contract/endpoint.ts";
import { questionLengthMax } from "../../contract/limits.ts";
import { joined } from "../../i18n/t.ts";
import { api, type Refused } from "../api.ts";
import { useAppText } from "../language.tsx";
import { Moment } from "../Moment.tsx";
import { refusalText } from "../refusalText.ts";
import { dataOf } from "../serverState.tsx";
import { Button } from "../ui/button/Button.tsx";
import { Notice } from "../ui/feedback/Notice.tsx";
import { SelectField } from "../ui/form/Select.tsx";
import { TextAreaField } from "../ui/form/TextAreaField.tsx";
import { useBusy } from "../useBusy.ts";
import styles from "./Questions.module.css";

type Question = Reply<Endpoints["questions"]>["data"][number];
type Topic = Question["topic"];

/** What a question is about. */
export type About = { activation_id: string } | { payment_id: string };

const topics = {
  order: ["no_letter", "wrong_letter", "other"],
  payment: ["not_credited", "other"],
} as const satisfies Record<string, readonly Topic[]>;

const topicText = (topic: Topic) => `question.topic.${joined(topic)}` as const;

/** What the buyer asked about an order or a payment, the answers, and a form for another question. */
export function Questions({ about }: { about: About }) {
  const t = useAppText();
  const client = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const key = ["questions", about];
  const { data } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => dataOf(api.questions(about, { signal })),
  });
  const onDone = () => {
    setAsking(false);
    void client.invalidateQueries({ queryKey: key });
  };
  return (
    <div className={styles.questions}>
      {data && data.data.length > 0 && (
        <ul aria-label={t("question.list")} className={styles.list}>
          {data.data.map((question) => (
            <One key={question.id} question={question} />
          ))}
        </ul>
      )}
      {isAsking ? (
        <Form about={about} onDone={onDone} onClose={() => setAsking(false)} />
      ) : (
        <Button
          tone="secondary"
          size="small"
          className={styles.start}
          icon={<MessageCircleQuestion aria-hidden size={16} />}
          onClick={() => setAsking(true)}
        >
          {t("question.ask")}
        </Button>
      )}
    </div>
  );
}

function One({ question }: { question: Question }) {
  const t = useAppText();
  const { topic, text, answer, asked_at: askedAt, answered_at: answeredAt } = question;
  return (
    <li className={styles.one}>
      <p className={styles.note}>
        {t(topicText(topic))} <span aria-hidden>·</span> <Moment at={askedAt} />
      </p>
      <p className={styles.text}>
        <bdi>{text}</bdi>
      </p>
      {answer === undefined || answeredAt === undefined ? (
        <p className={styles.note}>{t("question.waits")}</p>
      ) : (
        <div className={styles.answer}>
          <p className={styles.note}>
            {t("question.answer")} <span aria-hidden>·</span> <Moment at={answeredAt} />
          </p>
          <p className={styles.text}>
            <bdi>{answer}</bdi>
          </p>
        </div>
      )}
    </li>
  );
}

interface FormProps {
  about: About;
  onDone: () => void;
  onClose: () => void;
}

function Form({ about, onDone, onClose }: FormProps) {
  const t = useAppText();
  const offered: readonly Topic[] = "payment_id" in about ? topics.payment : topics.order;
  const [topic, setTopic] = useState<Topic>(offered[0] ?? "other");
  const [text, setText] = useState("");
  const [isEmpty, setEmpty] = useState(false);
  const [isBusy, whileBusy] = useBusy();
  const [refused, setRefused] = useState<Refused<string>>();
  const send = async () => {
    const answer = await whileBusy(() => api.askQuestion({ ...about, topic, text }));
    setRefused(answer.ok ? undefined : answer);
    if (answer.ok) onDone();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setEmpty(text.trim() === "");
    if (text.trim() !== "") void send();
  };
  return (
    <form noValidate className={styles.form} onSubmit={submit}>
      <SelectField
        label={t("question.topic")}
        value={topic}
        onChange={({ target }) => setTopic(offered.find((one) => one === target.value) ?? "other")}
        choices={offered.map((value) => ({ value, label: t(topicText(value)) }))}
      />
      <TextAreaField
        label={t("question.text")}
        hint={t("question.hint")}
        error={isEmpty ? t("question.empty") : undefined}
        rows={4}
        maxLength={questionLengthMax}
        autoFocus
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      {refused && <Notice tone="bad">{refusalText(t, refused)}</Notice>}
      <div className={styles.acts}>
        <Button type="submit" size="small" busy={isBusy}>
          {t("question.send")}
        </Button>
        <Button tone="ghost" size="small" onClick={onClose}>
          {t("ui.cancel")}
        </Button>
      </div>
    </form>
  );
}
