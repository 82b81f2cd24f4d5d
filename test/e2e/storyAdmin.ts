import type { Locator, Page } from "@playwright/test";
import { openOwnShop, type OwnShop, test as own } from "./ownShop.ts";
import { type Walked, texts } from "./visitor.ts";

interface Written {
  slides?: object[];
  image?: string;
  buttontext?: string;
  link?: string;
  is_critical?: number;
}

/** A shop of its own whose administrator tells stories: on the pages of the one that other tests share there is none. */
export interface Teller {
  readonly shop: OwnShop;
  /** Publishes a story before all others, in English and in Arabic; answers its id. */
  publish(title: string, written?: Written): Promise<string>;
  /** Takes away all that it has published. */
  clear(): Promise<void>;
}

/** Starts a shop for one. */
export const openTeller = async (): Promise<Teller> => tellerIn(await openOwnShop());

/** A test with a teller in the shop of its worker, who takes the stories away at the end. */
export const test = own.extend<{ teller: Teller }>({
  teller: async ({ shop }, use) => {
    const teller = tellerIn(shop);
    await use(teller);
    await teller.clear();
  },
});

function tellerIn(shop: OwnShop): Teller {
  const published: string[] = [];
  return {
    shop,
    publish: async (title, { slides, ...more } = {}) => {
      const shown = { title, slides: slides ?? [slide(`${title} 1`), slide(`${title} 2`)], ...more };
      const { storyId } = await shop.say("/api/admin/stories/create", { lang: "en", ...shown });
      const arabic = { lang: "ar", ...shown, title: `قصة ${title}` };
      await shop.say("/api/admin/stories/create", { storyId, ...arabic });
      published.push(String(storyId));
      return String(storyId);
    },
    clear: async () => {
      for (const id of published.splice(0)) await shop.say("/api/admin/stories/delete", { storyId: id });
    },
  };
}

/** A slide of a story, as it is written. */
export const slide = (title: string, more: object = {}): object => ({
  title,
  text: `About ${title}`,
  bg_color: "blue",
  ...more,
});

/** The row of thumbnails. */
export const row = (page: Page, language: Walked = "en"): Locator =>
  page.getByRole("region", { name: texts[language]["stories.title"] });
export const viewer = (page: Page, language: Walked = "en"): Locator =>
  page.getByRole("dialog", { name: texts[language]["stories.title"] });
export const thumbnail = (page: Page, title: string): Locator =>
  row(page).getByRole("button", { name: title });
/** What a slide says, in the opened viewer. */
export const says = (page: Page, title: string): Locator => viewer(page).getByText(title, { exact: true });

/** Presses on a place of the slide, given in shares of its width, for so long by the clock of the page. */
export async function press(
  page: Page,
  at: number,
  milliseconds = 0,
  language: Walked = "en",
): Promise<void> {
  const box = await boxOf(viewer(page, language).locator("[data-autofocus]"));
  await page.mouse.move(box.x + box.width * at, box.y + box.height * 0.8);
  await page.mouse.down();
  if (milliseconds > 0) await page.clock.runFor(milliseconds);
  await page.mouse.up();
}

export async function boxOf(
  element: Locator,
): Promise<{ x: number; y: number; width: number; height: number }> {
  const box = await element.boundingBox();
  if (!box) throw new Error("it is not seen");
  return box;
}
