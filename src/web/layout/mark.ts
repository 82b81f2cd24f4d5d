/**
 * The mark of the house: a postern, the small gate in the wall, that is an envelope: the round arch is its flap.
 * Two shapes in a square of 32, whose corners are rounded by a stroke in their own colour. The header, the icons, the
 * favicon and the shared picture are all drawn from here.
 */
export const mark = {
  size: 32,
  stroke: 2,
  arch: "M5 12.5a11 11 0 0 1 22 0L16 18.5Z",
  gate: "M5 17.6l11 6 11-6V29.5H5Z",
} as const;
