import manifest from "../../../package.json" with { type: "json" };

/** Of this release, by package.json. */
export const version = manifest.version;
