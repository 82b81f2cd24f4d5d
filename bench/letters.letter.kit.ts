export interface Target {
  address: string;
  sender: string;
  order?: { id: string; token: string };
}

const bodies = new Map<number, Buffer>();

/** A letter on the wire, numbered, of this size, with the final dot. */
export function letterTo({ address, sender }: Target, number: number, sizeBytes: number): Buffer {
  let body = bodies.get(sizeBytes);
  if (!body) bodies.set(sizeBytes, (body = Buffer.from(bodyOf(sizeBytes))));
  const code = 100_000 + (number % 900_000);
  const site = sender.slice(sender.indexOf("@") + 1);
  const head = [
    `From: Your account <${sender}>`,
    `To: ${address}`,
    `Subject: ${code} is your code (letter ${number})`,
    `Message-ID: <${number}.${code}@${site}>`,
    "Date: Sat, 21 Nov 2026 12:00:00 +0000",
    "MIME-Version: 1.0",
    'Content-Type: multipart/alternative; boundary="=_part"',
    "",
    "",
  ].join("\r\n");
  return Buffer.concat([Buffer.from(head), body]);
}

function bodyOf(sizeBytes: number): string {
  const lines = [
    "--=_part",
    "Content-Type: text/plain; charset=utf-8",
    "",
    "Your confirmation code is in the subject. It is valid for ten minutes.",
    "--=_part",
    "Content-Type: text/html; charset=utf-8",
    "Content-Transfer-Encoding: quoted-printable",
    "",
    '<html><head><style>p{color:#202123}</style></head><body><p style=3D"font-siz=',
    'e:24px">Your confirmation code is in the subject.</p><table>',
  ];
  const random = sequence(7);
  let length = lines.join("\r\n").length + 400;
  for (let row = 0; length < sizeBytes; row++) {
    const added = rowOf(row % 3 === 2, random);
    lines.push(...added);
    length += added.join("\r\n").length + 2;
  }
  return [...lines, "</table></body></html>", "--=_part--", ".", ""].join("\r\n");
}

const words = "the team of your new account says hello and wishes a good day with more letters".split(" ");

function rowOf(hasLink: boolean, random: (below: number) => number): string[] {
  const said = Array.from({ length: 9 }, () => words[random(words.length)]).join(" ");
  const style = [
    '<tr><td style=3D"padding:0 8px;font-family:Helvetica,Arial,sans-serif;font-=',
    'size:13px;line-height:18px;color:#8e8e8e;border-bottom:1px solid #efefef">',
  ];
  if (!hasLink) return [...style, `${said}=E2=80=99s</td></tr>`];
  const mark = Array.from({ length: 8 }, () => random(0x1_0000_0000).toString(16)).join("");
  return [...style, '<a href=3D"https://go.site.example/track/click?m=3D=', `${mark}">${said}</a></td></tr>`];
}

/** Pseudo-random numbers, the same in each run. */
function sequence(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 0x1_0000_0000) * below);
  };
}
