import ReactMarkdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { mentionScheme } from '#core/mentions.ts';
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

/** A heading of a note never competes with those of the page. */
const components: Components = {
  h1: ({ children }) => <h4>{children}</h4>,
  h2: ({ children }) => <h4>{children}</h4>,
  h3: ({ children }) => <h4>{children}</h4>,
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

/** Only http and https lead anywhere; `javascript:` and its kin lose their address. A mention leads nowhere and is shown as one. */
function safeAddress(address: string): string {
  return /^https?:\/\//i.test(address) || address.startsWith(mentionScheme) ? address : '';
}

export function MarkdownRendered({ text }: { text: string }) {
  return (
    <ReactMarkdown
      remarkPlugins={[remarkGfm]}
      skipHtml
      allowedElements={allowed}
      unwrapDisallowed
      urlTransform={safeAddress}
      components={components}
    >
      {text}
    </ReactMarkdown>
  );
}
