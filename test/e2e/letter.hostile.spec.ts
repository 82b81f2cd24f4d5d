import { type APIResponse, type Page, test as base } from "@playwright/test";
import fc from "fast-check";
import { cleanHtml } from "../../src/server/letters/showing/showing.clean.ts";
import { hostileLetters, hostilePieces } from "./hostileLetters.ts";
import { openLetter, received } from "./letters.ts";
import { expect, kept } from "./fixtures.ts";
import { openSpy, type Spy } from "./spy.ts";

// Hostile letters (docs/security.md). Each wall is tried alone: sanitized letters without policy and sandbox; raw letters
// behind the policy and sandbox of each view.

const test = base.extend<{ spy: Spy; harmless: undefined }>({
  // Playwright requires destructuring.
  // oxlint-disable-next-line no-empty-pattern
  spy: async ({}, use) => {
    const spy = await openSpy();
    await use(spy);
    spy.close();
  },
  harmless: [
    async ({ page, context, spy }, use) => {
      const said: string[] = [];
      const tabs: string[] = [];
      context.on("page", (tab) => tabs.push(tab.url()));
      context.on("dialog", (dialog) => {
        said.push(dialog.message());
        void dialog.dismiss();
      });
      await use(undefined);
      // Earlier requests reach the spy before this answer.
      await page.evaluate(() => fetch("/favicon.svg"));
      expect({ heard: spy.heard, said }).toEqual({ heard: [], said: [] });
    },
    { auto: true },
  ],
});

test.slow();

async function openBare(page: Page, headers?: Record<string, string>): Promise<void> {
  await page.route("**/bare", (route) =>
    route.fulfill({
      ...(headers ? { headers } : { contentType: "text/html" }),
      body: "<!DOCTYPE html><body></body>",
    }),
  );
  await page.goto("/bare");
}

function headersOf(answer: APIResponse): Record<string, string> {
  const { "content-length": _length, "content-encoding": _encoding, ...headers } = answer.headers();
  return headers;
}

const tokens = [
  "<",
  ">",
  "/",
  "</",
  "<!--",
  "-->",
  "--!>",
  "<![CDATA[",
  "]]>",
  "<?",
  '"',
  "'",
  "`",
  "=",
  " ",
  "\n",
  "\0",
  "&lt;",
  "&#60;",
  "&quot;",
  "<svg>",
  "</svg>",
  "<math>",
  "</math>",
  "<mtext>",
  "<mglyph>",
  "<desc>",
  "<style>",
  "</style>",
  "<title>",
  "</title>",
  "<noscript>",
  "</noscript>",
  "<template>",
  "</template>",
  "<textarea>",
  "</textarea>",
  "<xmp>",
  "</xmp>",
  "<iframe>",
  "</iframe>",
  "<select>",
  "<table>",
  "<tr>",
  "<td>",
  "</table>",
  "<form>",
  "</form>",
  "<p>",
  "</p>",
  "<br>",
  "<a href=",
  "<a title=",
  "<img src=x onerror=alert(1)>",
  "<img alt=",
  "<p title=",
  "<script>alert(1)</script>",
  " onerror=alert(1) ",
  " onclick=alert(1) ",
  " style=",
  "javascript:alert(1)",
  "x",
];
const made = fc
  .array(fc.constantFrom(...tokens), { minLength: 3, maxLength: 25 })
  .map((parts) => parts.join(""));

test("of a cleaned letter a browser reads nothing that runs, loads or leads away", async ({ page, spy }) => {
  await openBare(page);
  const letters = [...hostilePieces(spy.url), ...fc.sample(made, 1_500)];
  const cleaned = letters.map((raw) => ({ raw, clean: cleanHtml(raw, "carried").html }));
  const bad = await page.evaluate(
    (shown) => {
      const attributes =
        /^(?:align|alt|bgcolor|border|cellpadding|cellspacing|color|colspan|datetime|dir|face|height|href|lang|nowrap|rel|rowspan|size|src|start|style|target|title|type|valign|width)$/;
      const forbidden =
        "script,style,link,meta,base,svg,math,iframe,frame,object,embed,applet,form,input,button,textarea,select,video,audio,source,track,template,noscript,dialog,area,map,title,portal";
      const isBad = (element: Element) =>
        element.namespaceURI !== "http://www.w3.org/1999/xhtml" ||
        element.matches(forbidden) ||
        [...element.attributes].some(
          ({ name, value }) =>
            !attributes.test(name) ||
            (name === "href" && !/^(?:https?|mailto|tel):/i.test(value)) ||
            (name === "src" && !value.startsWith("data:image/")) ||
            (name === "style" && /url|expression|import|@|\\|position/i.test(value)),
        );
      return shown.filter(({ clean }) => {
        // Once with and once without scripting: the parsers differ.
        const live = document.createElement("div");
        document.body.append(live);
        live.innerHTML = clean;
        const still = new DOMParser().parseFromString(clean, "text/html");
        const found = [...live.querySelectorAll("*"), ...still.body.querySelectorAll("*")].some(isBad);
        // Serializing and parsing again must change nothing.
        const again = document.createElement("div");
        again.innerHTML = live.innerHTML;
        const turned = [...again.querySelectorAll("*")].some(isBad);
        live.remove();
        return found || turned || still.head.childElementCount > 0;
      });
    },
    cleaned.map(({ raw, clean }) => ({ raw, clean })),
  );
  expect(bad).toEqual([]);
});

test(
  "a raw letter behind the headers of preview=1 runs, loads and leads away nothing",
  { tag: "@full" },
  async ({ page, request, spy }) => {
    const { token, id } = await received(request, { html: "<p>482913</p>" });
    const real = await request.get(`/email/getmessage?${new URLSearchParams({ token, id, preview: "1" })}`);
    const document = await real.text();
    expect(document).toMatch(/^<!DOCTYPE html>/);
    const headers = headersOf(real);
    const letters = hostileLetters(spy.url);
    await openBare(page);
    await page.route("**/hostile/*", (route) => {
      const at = Number(new URL(route.request().url()).pathname.split("/").at(-1));
      return route.fulfill({ headers, body: withBody(document, letters[at] ?? "") });
    });
    await page.evaluate(addFrames, {
      shape: "<iframe></iframe>",
      frames: letters.map((_, at) => ({ src: `/hostile/${at}` })),
    });
    await pressEverything(page, letters);
    expect(new URL(page.url()).pathname).toBe("/bare");
  },
);

test("a raw letter in the frame of the letter dialog runs, loads and leads away nothing", async ({
  page,
  request,
  spy,
}) => {
  const buyer = await received(request, { html: "<p>482913</p>" });
  const frame = (await openLetter(page, buyer)).locator("iframe");
  await expect(frame).toHaveAttribute("srcdoc", /482913/);
  const document = (await frame.getAttribute("srcdoc")) ?? "";
  const letters = hostileLetters(spy.url);
  const shape = await frame.evaluate((own) => own.outerHTML);
  // The page's own frame with other letters, under our policy.
  await openBare(page, headersOf(await request.get("/en/dashboard")));
  await page.evaluate(addFrames, {
    shape,
    frames: letters.map((letter) => ({
      srcdoc: withBody(document, letter),
    })),
  });
  await pressEverything(page, letters);
  expect(new URL(page.url()).pathname).toBe("/bare");
  await expect.poll(() => kept(page, "authToken")).toBe(buyer.token);
});

const withBody = (document: string, letter: string) =>
  document.replace(/(<body[^>]*>)[^]*$/, (_, body: string) => `${body}${letter}`);

/** Resolves when all are loaded. */
async function addFrames(asked: {
  shape: string;
  frames: { src?: string; srcdoc?: string }[];
}): Promise<void> {
  const { shape, frames } = asked;
  const loaded = frames.map(
    (what) =>
      new Promise((resolve) => {
        const holder = document.createElement("div");
        holder.innerHTML = shape;
        const frame = holder.querySelector("iframe")!;
        frame.removeAttribute("srcdoc");
        frame.style.cssText = "width:600px;height:600px";
        Object.assign(frame, what);
        frame.addEventListener("load", resolve);
        document.body.append(frame);
      }),
  );
  await Promise.all(loaded);
}

/** Presses with the mouse whatever asks for it in the frames of these letters. */
async function pressEverything(page: Page, letters: string[]): Promise<void> {
  // The browser draws only the frames in its window.
  await page.setViewportSize({ width: 2_500, height: 3_700 });
  const frames = page.mainFrame().childFrames();
  expect(frames).toHaveLength(letters.length);
  // All places come before the first press: a press may take the document out of a frame.
  const places = await Promise.all(
    frames.map(async (frame) => {
      const asking = await frame.getByText("press", { exact: true }).all();
      return Promise.all(asking.map((each) => each.boundingBox()));
    }),
  );
  const drawn = places.flatMap((boxes) => boxes.filter((box) => box !== null).toReversed());
  expect(drawn).toHaveLength(letters.join("").split(">press<").length - 1);
  // The lowest of a frame first: a press may move what is below.
  for (const { x, y, width, height } of drawn) await page.mouse.click(x + width / 2, y + height / 2);
}
