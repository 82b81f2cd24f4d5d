import { expect, test } from "vitest";
import { pageMarks, pagesAround } from "./pageNumbers.ts";

test.each([
  [1, 1, [1]],
  [1, 5, [1, 2, 3, "gap", 5]],
  [2, 4, [1, 2, 3, 4]],
  [10, 20, [1, "gap", 8, 9, 10, 11, 12, "gap", 20]],
  [4, 20, [1, 2, 3, 4, 5, 6, "gap", 20]],
  [5, 20, [1, "gap", 3, 4, 5, 6, 7, "gap", 20]],
  [20, 20, [1, "gap", 18, 19, 20]],
  [1, 30, [1, 2, 3, "gap", 30]],
  [15, 30, [1, "gap", 13, 14, 15, 16, 17, "gap", 30]],
  [27, 30, [1, "gap", 25, 26, 27, 28, 29, 30]],
])("on page %i of %i the pager offers %j", (page, pages, marks) => {
  expect(pageMarks(page, pages)).toEqual(marks);
});

test.each([
  [1, 1, [1]],
  [2, 3, [1, 2, 3]],
  [1, 9, [1, 2, 3, 4, 5]],
  [5, 9, [3, 4, 5, 6, 7]],
  [8, 9, [5, 6, 7, 8, 9]],
])("on page %i of %i no more than five numbers are shown: %j", (page, pages, shown) => {
  expect(pagesAround(page, pages, 5)).toEqual(shown);
});
