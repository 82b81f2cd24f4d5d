/** The logo: an arched gate that is an envelope too, as two shapes in a square of 32. Icons and pictures use it. */
export const mark = {
  size: 32,
  stroke: 2,
  arch: "M5 12.5a11 11 0 0 1 22 0L16 18.5Z",
  gate: "M5 17.6l11 6 11-6V29.5H5Z",
} as const;
