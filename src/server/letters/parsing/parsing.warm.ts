import { openAll } from "./parsing.ts";

const letters = 64;
const rows = 24;

function sample(number: number): Buffer {
  const row = (index: number) =>
    `<tr><td style=3D"padding:0 8px;color:#202123">Words of line ${index}, =E2=80=94 and <a href=3D"https://site.example/=\r\nread?m=3D${index}">more</a></td></tr>`;
  const lines = [
    "From: =?utf-8?Q?The_team?= <team@site.example>",
    `Subject: =?utf-8?Q?${100_000 + number}_is_your_code?=`,
    "MIME-Version: 1.0",
    'Content-Type: multipart/alternative; boundary="=_part"',
    "",
    "--=_part",
    "Content-Type: text/plain; charset=utf-8",
    "",
    `Your confirmation code is ${100_000 + number}. It is valid for ten minutes.`,
    "--=_part",
    "Content-Type: text/html; charset=utf-8",
    "Content-Transfer-Encoding: quoted-printable",
    "",
    `<html><head><style>p{margin:0}</style></head><body><p>Your confirmation code is <b>${100_000 + number}</b>.</p><table>`,
    ...Array.from({ length: rows }, (_, index) => row(index)),
    "</table></body></html>",
    "--=_part--",
    "",
  ];
  return Buffer.from(lines.join("\r\n"));
}

/** Starts the parser threads and compiles their code: without it the first letter came half a second late. */
export const warmUp = async (): Promise<void> => {
  await openAll(Array.from({ length: letters }, (_, index) => sample(index)));
};
