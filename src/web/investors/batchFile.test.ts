import { expect, test } from "vitest";
import { batchFileError, sizeIn } from "./batchFile.ts";

const megabyte = 1024 * 1024;

test("a batch is a .txt file of at most 150 MB with something in it", () => {
  expect(batchFileError({ name: "batch.txt", size: 1 })).toBeUndefined();
  expect(batchFileError({ name: "BATCH.TXT", size: 150 * megabyte })).toBeUndefined();
  expect(batchFileError({ name: "batch.csv", size: 1 })).toBe("notText");
  expect(batchFileError({ name: "txt", size: 1 })).toBe("notText");
  expect(batchFileError({ name: "batch.txt", size: 150 * megabyte + 1 })).toBe("tooLarge");
  expect(batchFileError({ name: "batch.txt", size: 0 })).toBe("empty");
});

test.each([
  [0, 0, "b"],
  [1023, 1023, "b"],
  [1024, 1, "kb"],
  [1536, 1.5, "kb"],
  [megabyte - 1, 1023.9, "kb"],
  [megabyte, 1, "mb"],
  [150 * megabyte, 150, "mb"],
])("%d bytes are %d %s", (bytes, amount, unit) => {
  expect(sizeIn(bytes)).toEqual({ amount, unit });
});
