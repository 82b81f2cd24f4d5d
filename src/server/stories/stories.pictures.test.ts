// @module-tag slow
import { connect } from "node:net";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { type Answer, startShop, type TestShop } from "../../../test/kit/shop.ts";
import { imageBytesMax } from "../../contract/limits.ts";
import { list as journal } from "../journal/journal.ts";
import { gif, png, rows, textOf } from "../../../test/kit/hostilePictures.ts";
import { openPictures } from "./stories.pictures.ts";
import { soon } from "../../../test/kit/soon.ts";

let shop: TestShop;
let admin: string;

beforeAll(async () => {
  shop = await startShop();
  admin = await shop.member("admin@example.com");
});
afterAll(() => shop.stop());

const send = (file: Uint8Array | string, type = "image/png", token = admin) =>
  fetch(`${shop.url}/api/admin/stories/image`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": type },
    body: file as BodyInit,
  });
const bring = async (...given: Parameters<typeof send>): Promise<Answer> =>
  (await (await send(...given)).json()) as Answer;
const served = async (path: unknown) =>
  Buffer.from(await (await fetch(shop.url + String(path))).arrayBuffer());
const kept = async () => Number((await shop.db`select count(*) from picture`)[0]?.["count"]);

let shade = 0;
const drawing = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: { r: 200, g: 100, b: ++shade % 256 } } });

function noise(side: number) {
  const dots = Buffer.alloc(side * side * 3);
  for (let at = 0; at < dots.length; at++) dots[at] = (at * 7919 + ((at * at) % 251)) % 256;
  return sharp(dots, { raw: { width: side, height: side, channels: 3 } });
}

const kinds = ["jpeg", "png", "webp", "gif", "avif"] as const;
const keeps = async (kind: (typeof kinds)[number]) => {
  const answer = await bring(await drawing(2400, 1200)[kind]().toBuffer(), `image/${kind}`);
  expect(answer).toEqual({
    status: "success",
    image: expect.stringMatching(/^\/media\/[0-9a-f]{32}\.webp$/) as unknown,
    width: 1080,
    height: 540,
  });
  const image = String(answer["image"]);
  expect(await sharp(await served(image)).metadata()).toMatchObject({
    format: "webp",
    width: 1080,
    height: 540,
  });
  const thumb = await sharp(await served(image.replace(".webp", ".thumb.webp"))).metadata();
  expect(thumb).toMatchObject({ format: "webp", width: 216, height: 300 });
};
test.each(kinds.slice(0, 2))("a picture of the kind %s is kept as WebP, whole and as a thumbnail", keeps);
test.each(kinds.slice(2))("a picture of the kind %s is kept as WebP too", { tags: ["full"] }, keeps);

test("a picture is made smaller, never larger, and what can be seen through stays so", async () => {
  const background = { r: 0, g: 0, b: 0, alpha: 0.5 };
  const clear = sharp({ create: { width: 40, height: 90, channels: 4, background } });
  const answer = await bring(await clear.png().toBuffer());
  expect(answer).toMatchObject({ width: 40, height: 90 });
  expect(await sharp(await served(answer["image"])).metadata()).toMatchObject({ hasAlpha: true });
  expect(await bring(await drawing(100, 4000).png().toBuffer())).toMatchObject({ width: 48, height: 1920 });
});

test("pictures are served as pictures and nothing else, and kept by browsers for a year", async () => {
  const { image } = await bring(await drawing(300, 300).png().toBuffer());
  for (const path of [`${String(image)}?v=7`, String(image).replace(".webp", ".thumb.webp")]) {
    const response = await fetch(shop.url + path);
    const etag = String(response.headers.get("etag"));
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "image/webp",
      "x-content-type-options": "nosniff",
      "cache-control": "public, max-age=31536000, immutable",
      "content-security-policy": "default-src 'none'; sandbox",
    });
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`]) {
      const again = await fetch(shop.url + path, { headers: { "if-none-match": known } });
      expect([again.status, await again.text()]).toEqual([304, ""]);
    }
    const head = await fetch(shop.url + path, { method: "HEAD" });
    expect([head.status, head.headers.get("content-type")]).toEqual([200, "image/webp"]);
  }
  const name = String(image).slice("/media/".length, -".webp".length);
  for (const path of [
    `${"e".repeat(32)}.webp`,
    `${name}.svg`,
    `${name}`,
    `${name}.webp.html`,
    `..%2f${name}.webp`,
  ])
    expect([path, (await fetch(`${shop.url}/media/${path}`)).status]).toEqual([path, 404]);
});

test("the same file is kept once, however often it is uploaded, and its name is in the journal", async () => {
  const file = await drawing(64, 64).png().toBuffer();
  const before = await kept();
  const [one, two] = await Promise.all([bring(file), bring(file)]);
  expect(one).toMatchObject({ status: "success" });
  expect([two, await bring(file)]).toEqual([one, one]);
  expect(await kept()).toBe(before + 1);
  const name = String(one["image"]).slice("/media/".length, -".webp".length);
  expect(await journal(shop.db, { about: `picture ${name}` })).toMatchObject([
    { did: "picture add", after: { width: 64, height: 64 } },
  ]);
});

const upright = { width: 300, height: 600 };
test("where a picture was taken is told to nobody, and it stands upright", async () => {
  const file = await drawing(600, 300)
    .withExif({
      IFD0: { Make: "Camera of Nora", Orientation: "6" },
      IFD3: { GPSLatitudeRef: "N", GPSLatitude: "51/1 30/1 0/1", GPSLongitude: "0/1 7/1 0/1" },
    })
    .withXmp(`<x:xmpmeta xmlns:x="adobe:ns:meta/"><script>alert(1)</script></x:xmpmeta>`)
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
  const told = await sharp(file).metadata();
  expect(told).toMatchObject({ orientation: 6, exif: expect.any(Buffer) as unknown });
  expect(file.includes("Camera of Nora")).toBe(true);
  const answer = await bring(file, "image/jpeg");
  expect(answer).toMatchObject(upright);
  for (const path of [String(answer["image"]), String(answer["image"]).replace(".webp", ".thumb.webp")]) {
    const bytes = await served(path);
    const { exif, xmp, icc, iptc, orientation } = await sharp(bytes).metadata();
    expect({ exif, xmp, icc, iptc, orientation }).toEqual({});
    for (const trace of ["Nora", "EXIF", "Exif", "XMP", "ICCP", "script"])
      expect(bytes.includes(trace)).toBe(false);
  }
});

test("what hides behind a picture or in it is gone", async () => {
  const script = "<script>alert(document.domain)</script>";
  const jpeg = await drawing(64, 64).jpeg().toBuffer();
  const comment = Buffer.concat([Buffer.from([0xff, 0xfe, 0, script.length + 2]), Buffer.from(script)]);
  const within = Buffer.concat([jpeg.subarray(0, 2), comment, jpeg.subarray(2)]);
  const archive = Buffer.from("PK\x03\x04evil.class", "latin1");
  for (const file of [
    Buffer.concat([within, Buffer.from(`\n<html>${script}</html>`)]),
    Buffer.concat([jpeg, archive]),
  ]) {
    const answer = await bring(file, "image/jpeg");
    expect(answer).toMatchObject({ status: "success" });
    const bytes = await served(answer["image"]);
    for (const trace of ["script", "evil", "PK\x03\x04"]) expect(bytes.includes(trace)).toBe(false);
    expect(bytes.readUInt32LE(4) + 8).toBe(bytes.length);
  }
});

const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>`;
const huge = { width: 30_000, height: 30_000 };
const square = { width: 5_000, height: 5_000 };
const refused: [what: string, file: () => Uint8Array | string | Promise<Uint8Array>][] = [
  ["nothing", () => ""],
  ["a text", () => "hello"],
  ["a page", () => "<html><script>alert(1)</script></html>"],
  ["an SVG with a script that calls itself a PNG", () => svg],
  ["a TIFF", () => drawing(9, 9).tiff().toBuffer()],
  ["a small file that unpacks to 900 million pixels", () => png(huge, rows(huge))],
  ["a canvas of 4,000 million pixels", () => gif({ frames: 1, side: 65_535 })],
  ["a header that promises more than there is", () => png(square, rows({ width: 5_000, height: 10 }))],
  ["half a PNG", async () => half(await noise(300).png().toBuffer())],
  ["half a JPEG", async () => half(await noise(300).jpeg().toBuffer())],
  ["half a WebP", async () => half(await noise(300).webp().toBuffer())],
  ["half an AVIF", async () => half(await noise(300).avif().toBuffer())],
];
const half = (file: Buffer) => file.subarray(0, file.length / 2);

const refuses = async (_what: string, file: (typeof refused)[number][1]) => {
  const before = [await kept(), await journal(shop.db)];
  expect(await bring(await file())).toEqual({
    status: "error",
    value: "picture",
    error: "picture",
    hint: "The file is not a readable picture, or has more than 40 million pixels.",
  });
  expect([await kept(), await journal(shop.db)]).toEqual(before);
};
const essential = ["nothing", "an SVG with a script that calls itself a PNG", "half a PNG"];
const isEssential = ([what]: (typeof refused)[number]) =>
  essential.includes(what) || what.includes("million pixels");
test.each(refused.filter(isEssential))("%s is refused in a sentence, and nothing of it is kept", refuses);
test.each(refused.filter((each) => !isEssential(each)))(
  "%s is refused in a sentence too",
  { tags: ["full"] },
  refuses,
);

test.each(["image/svg+xml", "text/html", "application/octet-stream", "multipart/form-data; boundary=x"])(
  "a file that calls itself %s is refused unread",
  async (type) => {
    expect(await bring(svg, type)).toMatchObject({
      status: "error",
      value: "picture type",
      error: "picture type",
      hint: "Send the picture as image/jpeg, image/png, image/webp, image/gif or image/avif.",
    });
  },
);

test("of ten thousand frames the first is taken", { tags: ["full"] }, async () => {
  const answer = await bring(gif({ frames: 10_000, side: 1, canvas: 16 }), "image/gif");
  expect(answer).toMatchObject({ status: "success", width: 16, height: 16 });
  expect((await sharp(await served(answer["image"]), { animated: true }).metadata()).pages).toBeUndefined();
});

test.each([
  ["rows beyond the last", () => png({ width: 64, height: 64 }, Buffer.alloc(256 * 1024 * 1024))],
  [
    "a text of 256 MB",
    () => png({ width: 64, height: 64 }, rows({ width: 64, height: 64 }), [textOf(256 * 1024 * 1024)]),
  ],
])("a small file that unpacks to %s costs the shop nothing", { tags: ["full"] }, async (_what, file) => {
  expect(await bring(file())).toMatchObject({ status: "success", width: 64, height: 64 });
  expect(await bring(await drawing(32, 32).png().toBuffer())).toMatchObject({ status: "success" });
});

/** A raw upload that can break off, or send another length than it declares. */
function speak(headers: readonly string[], body: string) {
  const { port } = new URL(shop.url);
  const socket = connect(Number(port), "127.0.0.1");
  let heard = "";
  socket.on("data", (data) => (heard += String(data))).on("error", () => undefined);
  const head = [
    "POST /api/admin/stories/image HTTP/1.1",
    "host: shop",
    `token: ${admin}`,
    "content-type: image/png",
  ];
  socket.write(`${[...head, ...headers].join("\r\n")}\r\n\r\n${body}`);
  return { socket, heard: () => heard };
}

const tooLarge = '"value":"size","error":"size","hint":"The request is larger than this call accepts."';

test("a file of 50 MB is refused before it comes, and while it comes", async () => {
  const before = await kept();
  const { socket, heard } = speak([`content-length: ${50 * 1024 * 1024}`], "");
  await vi.waitFor(() => expect(heard()).toContain(tooLarge), soon);
  expect(heard()).toContain("HTTP/1.1 413");
  socket.destroy();

  let pieces = 50;
  const pull = (controller: ReadableStreamDefaultController) =>
    pieces-- > 0 ? controller.enqueue(Buffer.alloc(1024 * 1024)) : controller.close();
  const headers = { token: admin, "content-type": "image/png" };
  const init = { method: "POST", headers, body: new ReadableStream({ pull }), duplex: "half" };
  const told = { method: "POST", headers, body: Buffer.alloc(50 * 1024 * 1024) };
  for (const sent of [init as RequestInit, told]) {
    const response = await fetch(`${shop.url}/api/admin/stories/image`, sent);
    expect(response.status).toBe(413);
    expect(await response.text()).toContain(tooLarge);
  }
  expect(await kept()).toBe(before);
});

test("a file of the greatest length is taken", async () => {
  const file = await noise(300).png().toBuffer();
  const full = Buffer.concat([file, Buffer.alloc(imageBytesMax - file.length)]);
  expect(await bring(full)).toMatchObject({ status: "success", width: 300 });
  expect(await bring(Buffer.concat([full, Buffer.alloc(1)]))).toMatchObject({ value: "size" });
});

test("a connection that breaks off leaves nothing, and no place taken", async () => {
  const before = await kept();
  for (let turn = 0; turn < 8; turn++) {
    const { socket } = speak(["content-length: 100000"], "half a picture");
    await new Promise((resolve) => socket.once("connect", resolve));
    socket.destroy();
  }
  expect(await bring(await drawing(32, 32).png().toBuffer())).toMatchObject({ status: "success" });
  expect(await kept()).toBe(before + 1);
});

test("a picture that no story has shown for a day is forgotten, and no other", async () => {
  const [shown, onSlide, formerly, never] = await Promise.all(
    [1, 2, 3, 4].map(async () => String((await bring(await drawing(20, 20).png().toBuffer()))["image"])),
  );
  const said = (image: unknown) => ({
    lang: "en",
    title: "Title",
    image: String(image),
    slides: JSON.stringify([{ title: "Slide 1", text: "", image: onSlide, bg_color: "white" }]),
  });
  const { storyId } = await shop.post("/api/admin/stories/create", { token: admin, ...said(formerly) });
  const pictures = openPictures({ db: shop.db, log: { info: () => undefined } });
  const hours = (count: number) => new Date(Date.now() + count * 60 * 60 * 1_000);
  const there = async () => {
    const found = await Promise.all(
      [shown, onSlide, formerly, never].map((path) => pictures.find(String(path).slice(7, -5), "whole")),
    );
    return found.map((bytes) => bytes !== undefined);
  };
  await pictures.forget(hours(23));
  await shop.db`update picture set used_at = ${hours(-24)}`;
  const changed = await shop.post(`/api/admin/stories/update/${String(storyId)}`, {
    token: admin,
    ...said(shown),
  });
  expect(changed).toEqual({ status: "success" });
  await pictures.forget(hours(0.1));
  const again = openPictures({ db: shop.db, log: { info: () => undefined } });
  expect(await again.find(String(never).slice(7, -5), "whole")).toBeUndefined();
  // Pictures removed from the story may be put back within a day.
  expect(await there()).toEqual([true, true, true, false]);
  await pictures.forget(hours(25));
  await shop.post("/api/admin/stories/delete", { token: admin, storyId: String(storyId) });
  const left = async () =>
    (await shop.db`select name from picture`).map(({ name }) => `/media/${String(name)}.webp`).toSorted();
  expect(await left()).toEqual([shown, onSlide].toSorted());
  await pictures.forget(hours(25));
  expect(await left()).toEqual([]);
});

describe("a process that draws", () => {
  const drawnBy = async (program: string, secondsMax = 60) => {
    const folder = await mkdtemp(join(tmpdir(), "postern-draw-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const path = join(folder, "worker.mjs");
    await writeFile(path, program);
    const refusals: unknown[] = [];
    const log = { info: (details: object) => refusals.push((details as { failed: string }).failed) };
    const pictures = openPictures({ db: shop.db, log, drawing: { file: pathToFileURL(path), secondsMax } });
    const bytes = Buffer.from(`a picture ${program}`);
    const hand = { by: "user 1", at: new Date() };
    const outcome = await pictures.bring(
      (async function* () {
        yield bytes;
      })(),
      hand,
    );
    return { outcome, refusals };
  };

  test.each([
    ["dies", "process.abort()", /SIGABRT/],
    ["ends without a word", "process.exit(3)", /3/],
    ["answers something else", `process.on("message", () => process.send({ whole: "x" }))`, /invalid/i],
  ])("that %s costs its picture and nothing else", async (_what, program, why) => {
    const { outcome, refusals } = await drawnBy(program);
    expect(outcome).toBe("picture");
    expect(refusals).toEqual([expect.stringMatching(why)]);
  });

  test("that takes too long is given up", async () => {
    const { outcome, refusals } = await drawnBy(`process.on("message", () => { for (;;); })`, 1);
    expect(outcome).toBe("picture");
    expect(refusals).toEqual([expect.stringMatching(/timeout/i)]);
  });

  test("knows no secret of the shop", async () => {
    const program = `process.on("message", () => process.send({ failed: Object.keys(process.env).filter((name) => name !== "NODE_CHANNEL_FD" && name !== "NODE_CHANNEL_SERIALIZATION_MODE").join() }))`;
    const { refusals } = await drawnBy(program);
    expect(refusals).toEqual([""]);
  });
});
