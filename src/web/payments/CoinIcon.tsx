import styles from "./CoinIcon.module.css";

interface Mark {
  colour: string;
  path: string;
}

const marks = new Map<string, Mark>([
  [
    "USDT",
    {
      colour: "#1f8f6d",
      path: "M9 8.5h14v3.4h-5.2v1.9c3 .2 5.2.9 5.2 1.8s-2.2 1.6-5.2 1.8V24h-3.6v-6.6C11.200 17.200 9 16.500 9 15.600s2.200-1.600 5.200-1.800v-1.900H9Z",
    },
  ],
  [
    "TRX",
    {
      colour: "#d6312b",
      path: "M7.500 8.500 21 11l4 3.600L15 25.500Zm3 2.200 4.800 10.400 1-7Zm3.500.3 3.800 2.400 3.400-1.100Zm4.300 4-.9 6.800 5-5.700Z",
    },
  ],
  [
    "BNB",
    {
      colour: "#b98700",
      path: "m16 7 3.600 3.600L16 14.200l-3.600-3.600Zm-5.400 5.400L14.200 16l-3.600 3.600L7 16Zm10.800 0L25 16l-3.600 3.600-3.600-3.600ZM16 17.800l3.600 3.600L16 25l-3.600-3.600Z",
    },
  ],
  [
    "TON",
    {
      colour: "#0a84c6",
      path: "M9.500 8.500h13c1.900 0 3 2 2 3.700L16 25.500 7.500 12.200c-1-1.700.1-3.700 2-3.700Zm.5 2.600 4.800 8.600v-8.600Zm7.200 0v8.600l4.800-8.600Z",
    },
  ],
  [
    "LTC",
    {
      colour: "#4d648f",
      path: "M13.800 7h4.400l-1.700 7 3-.9-.6 2.300-3 .9-1.200 4.900H22l-.8 3.300H9.700l1.500-6.100-2.100.6.6-2.300 2.100-.6Z",
    },
  ],
  [
    "ETH",
    {
      colour: "#4f68d8",
      path: "m16 6 6.500 10.300L16 20l-6.500-3.700Zm-6.200 12L16 21.600l6.200-3.600L16 26.500Z",
    },
  ],
]);

export function CoinIcon({ coin, size = 32 }: { coin: string; size?: number }) {
  const mark = marks.get(coin);
  return (
    <svg aria-hidden width={size} height={size} viewBox="0 0 32 32" className={styles.mark}>
      <circle cx="16" cy="16" r="16" fill={mark?.colour ?? "#666"} />
      <path d={mark?.path ?? "M10 16h12"} fill="#fff" fillRule="evenodd" />
    </svg>
  );
}
