import { Search } from "lucide-react";
import type { FormEvent } from "react";
import { useLocation, useSearch } from "wouter";
import { useOfficeText } from "../../language.tsx";
import { Button } from "../../ui/button/Button.tsx";
import { Input } from "../../ui/form/Input.tsx";
import styles from "../Office.module.css";
import { formText } from "../formText.ts";
import { TablePart } from "../table/TablePart.tsx";

const tables = ["users", "orders", "payments", "batches", "journal"] as const;

/** One field for an id, an address, a transaction: all that is found by it. */
export function Find() {
  const t = useOfficeText();
  const asked = new URLSearchParams(useSearch()).get("q") ?? "";
  const [pathname, navigate] = useLocation();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const text = formText(new FormData(event.currentTarget), "q").trim();
    navigate(text === "" ? pathname : `${pathname}?${new URLSearchParams({ q: text })}`);
  };
  return (
    <>
      <form role="search" className={styles.find} onSubmit={submit}>
        <Input
          key={asked}
          type="search"
          name="q"
          autoFocus
          dir="auto"
          aria-label={t("office.find")}
          placeholder={t("office.find")}
          maxLength={200}
          autoComplete="off"
          spellCheck={false}
          defaultValue={asked}
        />
        <Button type="submit" icon={<Search aria-hidden size={17} />}>
          {t("office.search.do")}
        </Button>
      </form>
      {asked !== "" &&
        tables.map((name) => (
          <TablePart
            key={name}
            name={name}
            title={t(`office.section.${name}`)}
            search={asked}
            whole={{ section: name, query: { search: asked } }}
          />
        ))}
    </>
  );
}
