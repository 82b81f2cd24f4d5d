import type { OfficeKey } from "../../../i18n/t.ts";
import type { SlideShown } from "../../stories/Slide.tsx";

type Name = SlideShown["bg_color"];

// Written out, because the schemas of the contract stay with the server; one too few does not compile.
export const groundTexts: Record<Name, OfficeKey> = {
  white: "editor.ground.white",
  blue: "editor.ground.blue",
  purple: "editor.ground.purple",
  orange: "editor.ground.orange",
  green: "editor.ground.green",
  red: "editor.ground.red",
  turquoise: "editor.ground.turquoise",
  grey: "editor.ground.grey",
  "purple-blue": "editor.ground.purpleBlue",
  black: "editor.ground.black",
};

/** The ten named gradients, in the order of spec O §2. */
export const backgrounds = Object.keys(groundTexts) as Name[];
