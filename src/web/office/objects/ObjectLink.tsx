import { Link } from "wouter";
import { useLanguage } from "../../language.tsx";
import { type OfficeObject, paths } from "../../paths.ts";
import { Exact } from "../../ui/display/Exact.tsx";

/** The number of a thing, which leads to its page. */
export function ObjectLink({
  object,
  id,
  text = `#${id}`,
}: {
  object: OfficeObject;
  id: string;
  text?: string;
}) {
  const language = useLanguage();
  return (
    <Link href={paths.officeObject(language, object, id)}>
      <Exact>{text}</Exact>
    </Link>
  );
}
