/** A value that makes a repeated call the same order. Not randomUUID: in browsers that exists on https and localhost only. */
export function newOrderKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
