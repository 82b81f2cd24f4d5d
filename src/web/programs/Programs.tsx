import { BookOpen } from "lucide-react";
import { AccountPage } from "../dashboard/AccountPage.tsx";
import { useAccountText, useLanguage } from "../language.tsx";
import { paths } from "../paths.ts";
import { LinkButton } from "../ui/button/Button.tsx";
import { Card } from "../ui/layout/Card.tsx";
import { CardHeader } from "../ui/layout/CardHeader.tsx";
import { Tokens } from "./Tokens.tsx";
import { Webhooks } from "./Webhooks.tsx";

export function Programs() {
  const t = useAccountText();
  return (
    <AccountPage title={t("programs.title")} lead={t("programs.lead")}>
      <Tokens />
      <Webhooks />
      <DocsPointer />
    </AccountPage>
  );
}

function DocsPointer() {
  const t = useAccountText();
  const language = useLanguage();
  const docs = paths.docs(language);
  return (
    <Card flush aria-labelledby="pointer-title">
      <CardHeader id="pointer-title" title={t("programs.docs.title")} text={t("programs.docs")}>
        <LinkButton tone="secondary" href={docs} icon={<BookOpen aria-hidden size={17} />}>
          {t("programs.docs.open")}
        </LinkButton>
      </CardHeader>
    </Card>
  );
}
