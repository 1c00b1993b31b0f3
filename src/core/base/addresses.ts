// Decides which addresses a text contains, as a page, a mail program or a calendar would make links of them.
// Used by the server: new addresses in texts that everyone trusts require a proof of identity (T44).

/** Other spellings of a character, of Markdown and of addresses: `&#46;`, `&period;`, `\.`, `%2E`, `。` */
const named: Readonly<Record<string, string>> = { colon: ':', sol: '/', period: '.', commat: '@', lowbar: '_' };

function decoded(text: string): string {
  return text
    .replaceAll(/&#(\d{1,7});/g, (all, code) => character(Number(code), all))
    .replaceAll(/&#x([\da-f]{1,6});/gi, (all, code) => character(Number.parseInt(code, 16), all))
    .replaceAll(/&([a-z]{3,6});/g, (all, name) => (Object.hasOwn(named, name) ? (named[name] as string) : all))
    .replaceAll(/\\(?=[!-/:-@[-`{-~])/g, '')
    .replaceAll(/(?:%[\da-f]{2})+/gi, percentDecoded)
    .normalize('NFKC')
    .replaceAll('。', '.');
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const character = (code: number, otherwise: string): string =>
  code <= 0x10_ff_ff ? String.fromCodePoint(code) : otherwise;

/** Characters that names of hosts can contain and browsers leave out, such as soft hyphens. */
const invisible = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu;

/** `https://` or `//`: leads to what follows its last @. In Markdown, any sign can be before that. */
const withSlashes = /(?<![a-z\d+.\-])[a-z\d+.\-]*:?\/\/(?:[^\/?#]*@)?/v;
/** What renderers link whatever follows, a name with a dot such as `evil.example`, or an IP address. */
const linked = /(?:www\.|https?:)(?=\S)/v;
const domain = /(?<![\w\-[^\p{ASCII}\s\p{P}]]\.?)(?:[\w\-[^\p{ASCII}\s\p{P}]]+\.)+\p{L}[\p{L}\p{M}]/v;
const numeric = /(?<![\d.])(?:\d{1,3}\.){3}\d{1,3}(?![\d.]*\d)/v;
const numericV6 = /\[(?=[\da-f:]{0,40}::|(?:[\da-f]{1,4}:){6})[\da-f:.]{2,45}(?:%\w{1,20})?\]/v;
/** `tel:*21*555` or `zoommtg:join`. In a sentence, a space follows the colon, or a number as in `Room:12`. */
const withScheme =
  /(?<![a-z\d+.\-])(?:(?:tel|sms|mailto|sips?|callto):(?=\S)|[a-z][a-z\d+.\-]{1,30}:(?=[\p{L}+%@\/]))/v;
/** What phones dial, such as `+49 (0) 30 1234567`. */
const phone = /\+\(?\d(?:[ .\(\)\/\p{Pd}]{0,3}\d){6,14}/v;
/** `(900) 555-1234` */
const phoneOfTen = /(?<!\w)(?:1[ .\p{Pd}])?\(?\d{3}[ .\)\/\p{Pd}]{1,3}\d{3}[ .\/\p{Pd}]{1,3}\d{4}(?!\d)/v;
/** `0900 123456` and `0049 30 1234567`, but not `01.02.2026`, `0012345678` or `20 050 123 456` */
const phoneWithZero =
  /(?<![\w.,:\/\p{Pd}]|\d )\(?(?:0[1-9]\d{1,3}|00 ?[1-9]\d{0,2}|0\d(?= \d\d \d\d \d\d))[ .\)\/\p{Pd}]{1,3}\d(?:[ .\/\p{Pd}]{0,3}\d){5,11}(?!\d)/v;
const phones = [phone, phoneOfTen, phoneWithZero];

/** Takes linear time. */
const address = new RegExp(
  `(?:${[withSlashes, linked, domain, numeric, numericV6, withScheme, ...phones].map(({ source }) => source).join('|')})[^ \\t\\n\\v\\f\\r]*`,
  'giv',
);

/** What ends a sentence around an address. Looking back keeps it linear: a run of signs is tried once. */
const closing = /(?<![)\].,;:!?'"|<>])[)\].,;:!?'"|<>]+$/;

/** Also those of the text as typed: two of them can look the same once decoded, and lead to two places. */
function addressesOf(text: string): string[] {
  const read = decoded(text);
  const spellings = new Set([text, read, read.replaceAll(invisible, '')]);
  return [...spellings].flatMap((one) => [...one.matchAll(address)].map(([found]) => found.replace(closing, '')));
}

/** Whether the texts have an address that they didn't have before. */
export function gainsAddress(before: readonly string[], after: readonly string[]): boolean {
  const known = new Set(before.flatMap(addressesOf));
  return after.flatMap(addressesOf).some((one) => !known.has(one));
}
