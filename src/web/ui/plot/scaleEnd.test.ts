import fc from "fast-check";
import { expect, test } from "vitest";
import { scaleEnd } from "./scaleEnd.ts";

test("a scale ends at a round number that holds the highest value", () => {
  expect([0, 0.000175, 0.0002, 0.3, 1, 7, 12].map(scaleEnd)).toEqual([1, 0.0002, 0.0002, 0.5, 1, 10, 20]);
  fc.assert(
    fc.property(fc.double({ min: 1e-8, max: 1e6, noNaN: true }), (highest) => {
      expect(scaleEnd(highest)).toBeGreaterThanOrEqual(highest * (1 - 1e-9));
      expect(scaleEnd(highest)).toBeLessThanOrEqual(highest * 10.000001);
    }),
  );
});
