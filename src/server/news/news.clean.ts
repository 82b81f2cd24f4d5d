import sanitizeHtml from "sanitize-html";

const settings: sanitizeHtml.IOptions = {
  allowedTags: ["b", "strong", "i", "em", "u", "s", "code", "br", "a"],
  allowedAttributes: { a: ["href", "target", "rel"] },
  allowedSchemes: ["https", "mailto"],
  allowProtocolRelative: false,
  nonTextTags:
    "script style textarea option select noscript title template iframe object svg math xmp noembed noframes".split(
      " ",
    ),
  nestingLimit: 20,
  disallowedTagsMode: "discard",
  // A link without an address loses its tags. Transformed into a tag that is not allowed, it would name the end of the link after it.
  exclusiveFilter: ({ tag, attribs }) =>
    tag === "a" && attribs["href"] === undefined ? "excludeTag" : false,
  transformTags: {
    a: (_tagName, { href = "" }) => {
      const address = externalOf(href);
      if (address === undefined) return { tagName: "a", attribs: {} };
      return {
        tagName: "a",
        attribs: { href: address, target: "_blank", rel: "noopener noreferrer nofollow" },
      };
    },
  },
};

// An address may hold pairs of brackets: [Bridge](https://wiki.example/Bridge_(card_game)).
const markdownLink =
  /\[([^[\]]{1,200})\]\(((?:https:\/\/|mailto:)(?:[^\s()<>"'`]|\([^\s()<>"'`]*\)){1,500})\)/gi;

/** Keeps a few inline tags and external links, also those written [text](https://…), with target _blank. Removes or escapes the rest. */
export function cleanLine(line: string): string {
  // Before the sanitiser, so that it sees the result.
  const marked = line.replaceAll(
    markdownLink,
    (_all, text: string, address: string) => `<a href="${address.replaceAll("&", "&amp;")}">${text}</a>`,
  );
  return sanitizeHtml(marked, settings);
}

/** The normalized address of another site or a mailbox; undefined for any other. */
function externalOf(href: string): string | undefined {
  const address = href.trim();
  if (!/^(?:https:\/\/|mailto:)/i.test(address) || !URL.canParse(address)) return undefined;
  const url = new URL(address);
  // What stands before the host looks like another host.
  if (url.protocol === "https:") url.username = url.password = "";
  return url.href;
}
