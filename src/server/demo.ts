import * as catalog from "./catalog/catalog.ts";
import { publishNews } from "./demo.news.ts";
import { hasHadNews, hasHadStories, lockDemo } from "./demo.sql.ts";
import { publishStories } from "./demo.stories.ts";
import * as inventory from "./inventory/inventory.ts";
import type { NewsFeed } from "./news/news.ts";
import { attempt, type Db } from "./platform/db/db.ts";
import { usd } from "./platform/money.ts";
import type { Stories } from "./stories/stories.ts";

/** The shop of a demonstration. Names under .test belong to nobody (RFC 2606 §2): a real domain is not ours to sell. */
const shelf = [
  { name: "letters.test", price: usd("0.0035") },
  { name: "post.test", price: usd("0.008") },
  { name: "inbox.test", price: usd("0.009") },
  { name: "courier.test", price: usd("0.005") },
  { name: "quill.test", price: usd("0.0125") },
  { name: "envelope.test", price: usd("0.0042") },
];

const mailboxesEach = 1_000;

/** Stocks an empty database, and continues after a crash; does nothing once an operator sells a domain. Answers how many it added. */
export async function stockDemo({
  db,
  log,
}: {
  db: Db;
  log: { info(details: object, message: string): void };
}): Promise<number> {
  return attempt(db, async (tx) => {
    await lockDemo(tx);
    const there = new Map((await catalog.listDomains(db)).map((domain) => [domain.name, domain]));
    if ([...there.keys()].some((name) => !shelf.some((domain) => domain.name === name))) return 0;
    let added = 0;
    for (const domain of shelf) {
      const known = there.get(domain.name);
      // Fills only a domain that never had mailboxes.
      if (known && known.live > 0n) continue;
      const made = known?.id ?? (await catalog.addDomain(db, { ...domain, kind: "own" }));
      if (typeof made === "string") throw new Error(`the demo domain ${domain.name} was refused: ${made}`);
      added += await inventory.addStock(db, made, mailboxesEach);
    }
    if (added > 0) log.info({ mailboxes: added, domains: shelf.length }, "the demo catalogue is stocked");
    return added;
  });
}

/** Publishes the demonstration's stories and announcements once, never again after they are deleted. Answers how many. */
export async function publishDemo(
  db: Db,
  { stories, news }: { stories: Stories; news: NewsFeed },
  at: Date,
): Promise<number> {
  return attempt(db, async (tx) => {
    await lockDemo(tx);
    const newsCount = (await hasHadNews(tx)) ? 0 : await publishNews(news, at);
    return newsCount + ((await hasHadStories(tx)) ? 0 : await publishStories(stories, at));
  });
}
