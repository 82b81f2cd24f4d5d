import { type ComponentProps, createContext, use } from "react";
import { Link } from "wouter";
import { useLanguage } from "../language.tsx";
import { type DocsPage, paths } from "../paths.ts";

export const ShownPage = createContext<DocsPage>("start");

type DocsLinkProps = Omit<ComponentProps<"a">, "href" | "id"> & { page: DocsPage; id: string };

/** A link to a section of the documentation. On the same page the browser follows it, which marks the section as its target. */
export function DocsLink({ page, id, ...rest }: DocsLinkProps) {
  const language = useLanguage();
  const shown = use(ShownPage);
  if (page === shown) return <a {...rest} href={`#${id}`} />;
  return <Link {...rest} href={`${paths.docs(language, page)}#${id}`} />;
}
