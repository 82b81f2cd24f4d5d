import type { ReactNode } from "react";
import styles from "./Avatar.module.css";

const ink = "#23242e";

function eyes(left: number, right: number, y: number, size = 2.6): ReactNode {
  return (
    <g fill={ink}>
      <circle cx={left} cy={y} r={size} />
      <circle cx={right} cy={y} r={size} />
    </g>
  );
}

const owl = (
  <>
    <rect width="64" height="64" fill="#3b3fd8" />
    <path d="M14 66V27l-2-13 12 7h16l12-7-2 13v39Z" fill="#c9ccff" />
    <path d="M22 66V50a10 10 0 0 1 20 0v16Z" fill="#fff" />
    <circle cx="24" cy="31" r="9" fill="#fff" />
    <circle cx="40" cy="31" r="9" fill="#fff" />
    {eyes(25, 39, 31, 4)}
    <path d="m32 34 4.5 5-4.5 6-4.5-6Z" fill="#f5a524" />
  </>
);

const fox = (
  <>
    <rect width="64" height="64" fill="#ffdcc2" />
    <path d="m12 12 14 9h12l14-9-2 24-18 20-18-20Z" fill="#e8672c" />
    <path d="m14 36 12-2 6 10 6-10 12 2-18 20Z" fill="#fff" />
    {eyes(24, 40, 31)}
    <path d="M28 46h8l-4 5Z" fill={ink} />
    <path d="m16 18 6 5-6 5Zm32 0-6 5 6 5Z" fill="#8c3410" />
  </>
);

const cat = (
  <>
    <rect width="64" height="64" fill="#bfeee0" />
    <path d="m13 10 13 10h12l13-10v28a19 19 0 0 1-38 0Z" fill="#3d4150" />
    <path d="m17 19 6 5-6 4Zm30 0-6 5 6 4Z" fill="#f39bb0" />
    <g fill="#e6f56b">
      <ellipse cx="24" cy="35" rx="5" ry="4.4" />
      <ellipse cx="40" cy="35" rx="5" ry="4.4" />
    </g>
    {eyes(24, 40, 35, 2)}
    <path d="M29.5 43h5L32 46Z" fill="#f39bb0" />
    <path
      d="M6 42l14 1M6 48l14-2M58 42l-14 1M58 48l-14-2"
      stroke="#fff"
      strokeWidth="1.4"
      strokeLinecap="round"
    />
  </>
);

const bear = (
  <>
    <rect width="64" height="64" fill="#ffe7ad" />
    <g fill="#8a5a34">
      <circle cx="17" cy="20" r="9" />
      <circle cx="47" cy="20" r="9" />
      <circle cx="32" cy="36" r="22" />
    </g>
    <g fill="#d9a877">
      <circle cx="17" cy="20" r="4.4" />
      <circle cx="47" cy="20" r="4.4" />
      <ellipse cx="32" cy="44" rx="11" ry="9" />
    </g>
    {eyes(23, 41, 33)}
    <ellipse cx="32" cy="40.5" rx="4" ry="2.8" fill={ink} />
    <path d="M32 43v3m-4 2.5q4 3 8 0" fill="none" stroke={ink} strokeWidth="1.8" strokeLinecap="round" />
  </>
);

const penguin = (
  <>
    <rect width="64" height="64" fill="#b9defc" />
    <path d="M10 66V34a22 22 0 0 1 44 0v32Z" fill="#2b3350" />
    <path d="M18 66V40c0-12 9-17 14-10 5-7 14-2 14 10v26Z" fill="#fff" />
    {eyes(25.5, 38.5, 36)}
    <path d="M26.5 42h11L32 49.5Z" fill="#f5a524" />
    <g fill="#ffc4cc">
      <circle cx="21.5" cy="44" r="2.8" />
      <circle cx="42.5" cy="44" r="2.8" />
    </g>
  </>
);

const rabbit = (
  <>
    <rect width="64" height="64" fill="#ffd3e2" />
    <g fill="#fff">
      <ellipse cx="23" cy="18" rx="6.5" ry="17" />
      <ellipse cx="41" cy="18" rx="6.5" ry="17" />
      <circle cx="32" cy="43" r="19" />
    </g>
    <g fill="#f7a8c2">
      <ellipse cx="23" cy="17" rx="2.8" ry="11" />
      <ellipse cx="41" cy="17" rx="2.8" ry="11" />
      <circle cx="20.5" cy="47" r="3.2" />
      <circle cx="43.5" cy="47" r="3.2" />
      <path d="M29 45h6l-3 3.6Z" />
    </g>
    {eyes(25, 39, 40)}
    <path d="M32 48.5v2.5m-4 1q4 3.4 8 0" fill="none" stroke={ink} strokeWidth="1.6" strokeLinecap="round" />
  </>
);

const gate = (
  <>
    <rect width="64" height="64" fill="#1b1d3a" />
    <g fill="#ffe9a8">
      <circle cx="12" cy="16" r="1.4" />
      <circle cx="51" cy="12" r="1.8" />
      <circle cx="55" cy="27" r="1.1" />
      <circle cx="9" cy="33" r="1.1" />
      <path d="m32 4 1.7 4.3L38 10l-4.3 1.7L32 16l-1.7-4.3L26 10l4.3-1.7Z" />
    </g>
    <path d="M14 66V40a18 18 0 0 1 36 0v26Z" fill="#f0b429" />
    <path d="M19 66V40a13 13 0 0 1 26 0v26Z" fill="#fff3cf" />
    <path
      d="m21 37 9.3 7.8a2.6 2.6 0 0 0 3.4 0L43 37"
      fill="none"
      stroke="#c88a12"
      strokeWidth="2.6"
      strokeLinecap="round"
    />
    <circle cx="32" cy="55" r="2.6" fill="#c88a12" />
  </>
);

/** The six preset images of spec B §3, by index; index 0 has the VIP mark beside it. */
const drawings = [owl, fox, cat, bear, penguin, rabbit];

export const avatarCount = drawings.length;

/** The one account with a fixed avatar of its own (spec O §2). */
export const isSpecial = (userId: string): boolean => userId === "45";

interface AvatarProps {
  index: number;
  userId?: string;
  label?: string;
}

export function Avatar({ index, userId = "", label }: AvatarProps) {
  const named = label === undefined ? { "aria-hidden": true } : { role: "img", "aria-label": label };
  return (
    <svg {...named} viewBox="0 0 64 64" className={styles.avatar}>
      {isSpecial(userId) ? gate : (drawings[index] ?? owl)}
    </svg>
  );
}
