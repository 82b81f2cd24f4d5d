// Old charsets, from the platform's decoder of each byte sequence.
const known = new Map<string, ReadonlyMap<string, Buffer>>();

export function encode(text: string, charset: string): Buffer {
  if (charset === "iso-2022-jp") return encodeJapanese(text);
  const table = known.get(charset) ?? tableOf(charset);
  known.set(charset, table);
  return Buffer.concat(Array.from(text, (sign) => bytesOf(table, sign, charset)));
}

function bytesOf(table: ReadonlyMap<string, Buffer>, sign: string, charset: string): Buffer {
  const bytes = table.get(sign);
  if (!bytes) throw new Error(`${charset} has no ${sign}`);
  return bytes;
}

function tableOf(charset: string): ReadonlyMap<string, Buffer> {
  const table = new Map<string, Buffer>();
  const decoder = new TextDecoder(charset);
  const learn = (...bytes: number[]) => {
    const sign = decoder.decode(Uint8Array.from(bytes));
    if (Array.from(sign).length === 1 && sign !== "\ufffd" && !table.has(sign))
      table.set(sign, Buffer.from(bytes));
  };
  for (let byte = 0; byte < 256; byte++) learn(byte);
  if (!/^(?:gb|big5|euc)/.test(charset)) return table;
  for (let lead = 0x81; lead < 0xff; lead++) for (let trail = 0x40; trail < 0xff; trail++) learn(lead, trail);
  return table;
}

function encodeJapanese(text: string): Buffer {
  const pieces = text.split(/([^\0-\x7f]+)/).map((piece, index) => {
    if (index % 2 === 0) return Buffer.from(piece, "latin1");
    const bytes = encode(piece, "euc-jp").map((byte) => byte & 0x7f);
    return Buffer.concat([Buffer.from("\x1b$B"), bytes, Buffer.from("\x1b(B")]);
  });
  return Buffer.concat(pieces);
}
