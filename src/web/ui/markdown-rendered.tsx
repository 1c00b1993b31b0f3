import ReactMarkdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';

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
  a: ({ href, children }) =>
    href ? (
      <a href={href} target="_blank" rel="noopener nofollow">
        {children}
      </a>
    ) : (
      children
    ),
};

/** Only http and https lead anywhere; `javascript:` and its kin lose their address. */
function safeAddress(address: string): string {
  return /^https?:\/\//i.test(address) ? address : '';
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
