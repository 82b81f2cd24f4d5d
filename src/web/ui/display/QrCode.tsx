import { useMemo } from "react";
import { encode } from "uqr";
import styles from "./QrCode.module.css";

/** A QR code as one path: highest error correction, 160 px (spec B §2). Dark on white in both themes, for cameras. */
export function QrCode({ text, label, size = 160 }: { text: string; label: string; size?: number }) {
  const { path, modules } = useMemo(() => draw(text), [text]);
  return (
    <svg
      role="img"
      aria-label={label}
      width={size}
      height={size}
      viewBox={`0 0 ${modules} ${modules}`}
      className={styles.code}
    >
      <path d={path} fill="#000" shapeRendering="crispEdges" />
    </svg>
  );
}

function draw(text: string) {
  const { data, size } = encode(text, { ecc: "H", border: 2 });
  const path = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ""))).join("");
  return { path, modules: size };
}
