// Hostile pictures, written byte by byte: no drawing program would write them.
import { crc32, deflateSync } from "node:zlib";

/** A PNG of one-bit grey dots that declares this size and holds this data, uncompressed. */
export function png(
  size: { width: number; height: number },
  data: Uint8Array,
  more: readonly Buffer[] = [],
): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(size.width, 0);
  head.writeUInt32BE(size.height, 4);
  head.set([1, 0, 0, 0, 0], 8);
  const parts = [
    chunk("IHDR", head),
    ...more,
    chunk("IDAT", deflateSync(data)),
    chunk("IEND", Buffer.alloc(0)),
  ];
  return Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), ...parts]);
}

export const rows = ({ width, height }: { width: number; height: number }) =>
  Buffer.alloc((Math.ceil(width / 8) + 1) * height);

/** A PNG text chunk that unpacks to so many bytes. */
export const textOf = (bytes: number) =>
  chunk("zTXt", Buffer.concat([Buffer.from("Comment\0\0", "latin1"), deflateSync(Buffer.alloc(bytes, "a"))]));

function chunk(name: string, data: Uint8Array): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const body = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** A GIF of so many frames of one white dot, whatever sides they declare. */
export function gif({
  frames,
  side,
  canvas = side,
}: {
  frames: number;
  side: number;
  canvas?: number;
}): Buffer {
  const head = Buffer.from("GIF89a\0\0\0\0\x80\0\0\0\0\0\xff\xff\xff", "latin1");
  head.writeUInt16LE(canvas, 6);
  head.writeUInt16LE(canvas, 8);
  const frame = Buffer.from("\x21\xf9\x04\0\x01\0\0\0\x2c\0\0\0\0\0\0\0\0\0\x02\x02\x4c\x01\0", "latin1");
  frame.writeUInt16LE(side, 13);
  frame.writeUInt16LE(side, 15);
  return Buffer.concat([head, ...Array<Buffer>(frames).fill(frame), Buffer.from(";")]);
}
