import { useQueryClient } from "@tanstack/react-query";
import { Pencil, Plus } from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import { criticalStoryUsers } from "../../contract/limits.ts";
import { api } from "../api.ts";
import { useAppText, useLanguage } from "../language.tsx";
import { paths } from "../paths.ts";
import { refusalText } from "../refusalText.ts";
import { Dialog } from "../ui/dialog/Dialog.tsx";
import { VisuallyHidden } from "../ui/layout/VisuallyHidden.tsx";
import { toast } from "../ui/feedback/toast.ts";
import { Avatar, avatarCount, isSpecial } from "./Avatar.tsx";
import styles from "./AvatarPicker.module.css";
import type { Account } from "./account.ts";

/** The account's picture; a press offers the six presets (spec B §2, O §2). */
export function AvatarPicker({ account }: { account: Account }) {
  const t = useAppText();
  const [isOpen, setOpen] = useState(false);
  const choose = useChoice(account);
  if (isSpecial(account.id)) {
    return (
      <div className={styles.avatar}>
        <Avatar index={account.avatar} userId={account.id} label={t("profile.avatar")} />
      </div>
    );
  }
  const pick = (index: number) => {
    setOpen(false);
    if (index !== account.avatar) void choose(index);
  };
  return (
    <div className={styles.avatar}>
      <button
        type="button"
        className={styles.open}
        aria-label={t("profile.avatar.change")}
        title={t("profile.avatar.change")}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <Avatar index={account.avatar} />
        <span className={styles.pencil}>
          <Pencil aria-hidden size={9} />
        </span>
      </button>
      <StoriesControl account={account} />
      {account.avatar === 0 && <span className={styles.vip}>{t("profile.vip")}</span>}
      {isOpen && (
        <Dialog title={t("profile.avatar.choose")} onClose={() => setOpen(false)}>
          <Choices chosen={account.avatar} onPick={pick} />
        </Dialog>
      )}
    </div>
  );
}

/** A link to the story editor for the accounts of spec O §2; the server checks their right. */
function StoriesControl({ account }: { account: Account }) {
  const t = useAppText();
  const language = useLanguage();
  if (!criticalStoryUsers.includes(account.id)) return null;
  return (
    <Link
      href={paths.storiesAdmin(language)}
      className={styles.story}
      aria-label={t("profile.stories.write")}
      title={t("profile.stories.write")}
    >
      <Plus aria-hidden size={11} />
    </Link>
  );
}

function Choices({ chosen, onPick }: { chosen: number; onPick: (index: number) => void }) {
  const t = useAppText();
  return (
    <ul className={styles.choices}>
      {Array.from({ length: avatarCount }, (_, index) => (
        <li key={index}>
          <button
            type="button"
            className={styles.choice}
            aria-pressed={index === chosen}
            data-autofocus={index === chosen || undefined}
            onClick={() => onPick(index)}
          >
            <Avatar index={index} />
            <VisuallyHidden>{t("profile.avatar.number", { number: index + 1 })}</VisuallyHidden>
            {index === 0 && <span className={styles.vip}>{t("profile.vip")}</span>}
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Shows the choice at once; reverts it when the server refuses. */
function useChoice({ id, avatar: before }: Account): (index: number) => Promise<void> {
  const t = useAppText();
  const client = useQueryClient();
  const show = (avatar: number) =>
    client.setQueriesData<Account>({ queryKey: ["account"] }, (account) => account && { ...account, avatar });
  return async (index) => {
    // An older answer must not overwrite the choice.
    await client.cancelQueries({ queryKey: ["account"] });
    show(index);
    const answer = await api.chooseAvatar({ userId: id, avatar: index });
    if (answer.ok) return;
    show(before);
    toast("bad", refusalText(t, answer));
  };
}
