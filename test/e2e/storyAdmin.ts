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

/** An administrator of stories in a separate shop: the shared shop has none. */
export interface Teller {
  readonly shop: OwnShop;
  publish(title: string, written?: Written): Promise<string>;
  clear(): Promise<void>;
}

export const openTeller = async (): Promise<Teller> => tellerIn(await openOwnShop());

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

export const slide = (title: string, more: object = {}): object => ({
  title,
  text: `About ${title}`,
  bg_color: "blue",
  ...more,
});

export const row = (page: Page, language: Walked = "en"): Locator =>
  page.getByRole("region", { name: texts[language]["stories.title"] });
export const viewer = (page: Page, language: Walked = "en"): Locator =>
  page.getByRole("dialog", { name: texts[language]["stories.title"] });
/** On the dashboard the stories are behind a button. */
export const unfold = (page: Page): Promise<void> =>
  row(page)
    .getByRole("button", { name: new RegExp(`^${texts.en["stories.title"]}`) })
    .click();

export const thumbnail = (page: Page, title: string): Locator =>
  row(page).getByRole("button", { name: title });
export const says = (page: Page, title: string): Locator => viewer(page).getByText(title, { exact: true });

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
