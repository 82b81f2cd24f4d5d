import sanitizeHtml from "sanitize-html";

const settings: sanitizeHtml.IOptions = {
  allowedTags: ["b", "strong", "i", "em", "u", "s", "code", "br", "a"],
  allowedAttributes: { a: ["href", "target", "rel"] },
  allowedSchemes: ["https", "mailto"],
  allowProtocolRelative: false,
  // What stands in these is no text of the line.
  nonTextTags:
    "script style textarea option select noscript title template iframe object svg math xmp noembed noframes".split(
      " ",
    ),
  nestingLimit: 20,
  disallowedTagsMode: "discard",
  transformTags: {
    a: (_tagName, { href = "" }) => {
      const address = externalOf(href);
      // A tag that is not allowed: its text stays.
      if (address === undefined) return { tagName: "span", attribs: {} };
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

/**
 * A line of an announcement as its readers get it: a few tags that dress text, and links to elsewhere, also those that are
 * written [text](https://…), each into a tab of its own. Everything else is gone or text.
 */
export function cleanLine(line: string): string {
  // The links first, so that nothing comes after the sanitiser.
  const marked = line.replaceAll(
    markdownLink,
    (_all, text: string, address: string) => `<a href="${address.replaceAll("&", "&amp;")}">${text}</a>`,
  );
  return sanitizeHtml(marked, settings);
}

/** The address of another site or of a mailbox as a browser understands it; undefined for any other. */
function externalOf(href: string): string | undefined {
  const address = href.trim();
  if (!/^(?:https:\/\/|mailto:)/i.test(address) || !URL.canParse(address)) return undefined;
  return new URL(address).href;
}
