import { type ReactNode, useMemo } from 'react';
import ReactMarkdown, { type Components, type Options } from 'react-markdown';
import remarkBreaks from 'remark-breaks';
import remarkGfm from 'remark-gfm';
import { mentionScheme, mentionsIn } from '#core/tasks/mentions.ts';
import classes from './markdown.module.css';

const allowed = [
  ...[
    'a',
    'blockquote',
    'br',
    'code',
    'del',
    'em',
    'h1',
    'h2',
    'h3',
    'h4',
    'hr',
    'img',
    'input',
    'li',
    'ol',
    'p',
    'pre',
    'strong',
  ],
  ...['table', 'tbody', 'td', 'th', 'thead', 'tr', 'ul'],
];

function Anchor({ href, children }: { readonly href?: string | undefined; readonly children?: ReactNode }) {
  if (!href) return children;
  if (href.startsWith(mentionScheme)) return children;
  return (
    <a href={href} target="_blank" rel="noopener nofollow">
      {children}
    </a>
  );
}

const components: Components = {
  a: Anchor,
  // Loading an image would tell another server who reads the note, and when.
  img: ({ src, alt }) => <Anchor href={src}>{alt || src}</Anchor>,
};

type RemarkPlugin = Exclude<NonNullable<Options['remarkPlugins']>[number], unknown[]>;

/** People type `<name>` and `List<String>` and expect to see it: angle brackets are text, never HTML. */
const remarkNoHtml: RemarkPlugin = function () {
  const data = this.data() as { micromarkExtensions?: object[] };
  data.micromarkExtensions = [...(data.micromarkExtensions ?? []), { disable: { null: ['htmlFlow', 'htmlText'] } }];
};

/** A note's headings never compete with the page's. */
const noteComponents: Components = {
  ...components,
  h1: ({ children }) => <h4>{children}</h4>,
  h2: ({ children }) => <h4>{children}</h4>,
  h3: ({ children }) => <h4>{children}</h4>,
};

/**
 * Below the title of the document's panel. A wide table scrolls in its own box, which the keyboard must
 * reach.
 */
const documentComponents: Components = {
  ...components,
  h1: ({ children }) => <h3>{children}</h3>,
  h2: ({ children }) => <h4>{children}</h4>,
  h3: ({ children }) => <h5>{children}</h5>,
  h4: ({ children }) => <h6>{children}</h6>,
  table: ({ children }) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs focus to be scrolled by keys.
    <section className={classes.table} aria-label="Table" tabIndex={0}>
      <table>{children}</table>
    </section>
  ),
};

/** Only allows http and https; drops `javascript:` and similar. A mention is shown without a link. */
function safeAddress(address: string): string {
  return /^https?:\/\//i.test(address) || address.startsWith(mentionScheme) ? address : '';
}

/** Shows a link as a mention only if the server named it: other links to a person can have any text. */
function mentionAnchor(text: string): typeof Anchor {
  const named = new Set(mentionsIn(text).map(({ id, displayName }) => `${mentionScheme}${id} @${displayName}`));
  return (link) =>
    named.has(`${link.href} ${link.children}`) ? (
      <span className={classes.mention}>{link.children}</span>
    ) : (
      <Anchor {...link} />
    );
}

type Props = { readonly text: string; readonly document: boolean; readonly mentions: boolean };

export function MarkdownRendered({ text, document, mentions }: Props) {
  const usual = document ? documentComponents : noteComponents;
  const shown = useMemo(() => (mentions ? { ...usual, a: mentionAnchor(text) } : usual), [usual, mentions, text]);
  return (
    <ReactMarkdown
      remarkPlugins={[remarkGfm, remarkBreaks, remarkNoHtml]}
      allowedElements={allowed}
      unwrapDisallowed
      urlTransform={safeAddress}
      components={shown}
    >
      {text}
    </ReactMarkdown>
  );
}
