import ReactMarkdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { mentionScheme } from '#core/tasks/mentions.ts';
import classes from './markdown.module.css';

/** No pictures: they would tell a foreign server who reads the note, and when. */
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
    'input',
    'li',
    'ol',
    'p',
    'pre',
    'strong',
  ],
  ...['table', 'tbody', 'td', 'th', 'thead', 'tr', 'ul'],
];

const components: Components = {
  a: ({ href, children }) => {
    if (!href) return children;
    if (href.startsWith(mentionScheme)) return <span className={classes.mention}>{children}</span>;
    return (
      <a href={href} target="_blank" rel="noopener nofollow">
        {children}
      </a>
    );
  },
};

/** A heading of a note never competes with those of the page. */
const ofNote: Components = {
  ...components,
  h1: ({ children }) => <h4>{children}</h4>,
  h2: ({ children }) => <h4>{children}</h4>,
  h3: ({ children }) => <h4>{children}</h4>,
};

/** Below the title of the panel that holds the document. A wide table scrolls in its own box, which the keyboard has to reach. */
const ofDocument: Components = {
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

/** Only http and https lead anywhere; `javascript:` and its kin lose their address. A mention leads nowhere and is shown as one. */
function safeAddress(address: string): string {
  return /^https?:\/\//i.test(address) || address.startsWith(mentionScheme) ? address : '';
}

export function MarkdownRendered({ text, document }: { text: string; document: boolean }) {
  return (
    <ReactMarkdown
      remarkPlugins={[remarkGfm]}
      // In a document HTML is shown as the text that it is; in a note it is left out.
      skipHtml={!document}
      allowedElements={allowed}
      unwrapDisallowed
      urlTransform={safeAddress}
      components={document ? ofDocument : ofNote}
    >
      {text}
    </ReactMarkdown>
  );
}
