import { renderToStaticMarkup } from "react-dom/server";
import { encode } from "uqr";
import { expect, test } from "vitest";
import { QrCode } from "./QrCode.tsx";

test("a QR code is 160 px wide and bears that nearly a third of it is hidden", () => {
  const text = "ltc1qjmxnz78nmc8nq77wuxh25n2es7rzm5c2rkk4wh";
  const svg = renderToStaticMarkup(<QrCode text={text} label="Wallet" />);
  expect(svg).toContain('width="160" height="160"');
  const modules = encode(text, { ecc: "H", border: 2 }).size;
  expect(modules).toBeGreaterThan(encode(text, { ecc: "Q", border: 2 }).size);
  expect(svg).toContain(`viewBox="0 0 ${modules} ${modules}"`);
});
