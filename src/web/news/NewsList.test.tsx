import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { publicCatalogue } from "../catalogues.ts";
import { LanguageProvider } from "../language.tsx";
import { NewsList } from "./NewsList.tsx";
import type { NewsItem } from "../serverData.tsx";
import { emptyServerData, ServerDataContext } from "../serverData.tsx";

const item = (id: number, more: Partial<NewsItem>): NewsItem => ({
  id: String(id),
  priority: 100,
  title: `Title ${id}`,
  lines: [],
  date: "2026-11-20",
  importance: "normal",
  ...more,
});

async function drawn(news: NewsItem[] | undefined): Promise<string> {
  const catalogue = await publicCatalogue("en");
  return renderToStaticMarkup(
    <ServerDataContext value={{ ...emptyServerData, news }}>
      <LanguageProvider language="en" catalogue={catalogue}>
        <NewsList />
      </LanguageProvider>
    </ServerDataContext>,
  );
}

test("an announcement has its date as dd.mm.yyyy, its title and its lines of HTML; important ones stand out", async () => {
  const html = await drawn([
    item(1, { lines: ["now <b>0.0035</b>"] }),
    item(2, { importance: "important" }),
    item(3, { importance: "critical" }),
    item(4, { title: " ", lines: [""] }),
  ]);
  expect(html).toContain('<time dateTime="2026-11-20">20.11.2026</time>');
  expect(html).toContain("now <b>0.0035</b>");
  expect(html.match(/data-importance="(normal|important|critical)"/g)).toHaveLength(3);
  expect(html).toMatch(/data-importance="important".*Important/s);
  expect(html).toMatch(/data-importance="critical".*Critical/s);
});

test("without an announcement that says something there is a word for it", async () => {
  expect(await drawn([item(4, { title: "", lines: [" "] })])).toContain("No news yet");
});

test("while the announcements are awaited nobody is told that there are none", async () => {
  const html = await drawn(undefined);
  expect(html).toContain("Loading");
  expect(html).not.toContain("No news yet");
});
