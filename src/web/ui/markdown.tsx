import { type ComponentType, useMemo } from 'react';
import { isHeavyMarkdown, plainText } from '#core/base/plain-text.ts';
import { withPlainMentions } from '#core/tasks/mentions.ts';
import { LazyExtra, lazyPart } from './lazy-part.tsx';
import classes from './markdown.module.css';

type RenderedProps = { readonly text: string; readonly document: boolean; readonly mentions: boolean };

let ready: ComponentType<RenderedProps> | null = null;

/** Loads the renderer: a page that is mostly text waits for it, to avoid layout shifts. */
export async function readyMarkdown(): Promise<ComponentType<RenderedProps>> {
  ready ??= (await import('./markdown-rendered.tsx')).MarkdownRendered;
  return ready;
}

const Rendered = lazyPart(readyMarkdown, (rendered) => rendered);

type Props = {
  readonly text: string;
  /** A document with several levels of headings; a note has one. */
  readonly document?: boolean;
  /** A note, in which the server gives each mention its person's name. Elsewhere a mention is plain text. */
  readonly mentions?: boolean;
  /** Whether rendering would stop the page, where many texts are shown. */
  readonly isHeavy?: boolean;
};

/**
 * Markdown from a person. The renderer is large and loads separately; until then, the plain text is shown. If
 * rendering the text alone would stop the page, it is shown as typed.
 */
export function Markdown({ text, document = false, mentions = false, isHeavy }: Props) {
  const Renderer = ready ?? Rendered;
  const isAsTyped = useMemo(() => isHeavy !== false && isHeavyMarkdown(text), [text, isHeavy]);
  return (
    <div className={document ? `${classes.markdown} ${classes.document}` : classes.markdown}>
      {isAsTyped ? (
        <p className={classes.plain}>{withPlainMentions(text)}</p>
      ) : isHeavy ? (
        <PlainText text={text} />
      ) : (
        <LazyExtra fallback={<PlainText text={text} />}>
          <Renderer text={text} document={document} mentions={mentions} />
        </LazyExtra>
      )}
    </div>
  );
}

function PlainText({ text }: { text: string }) {
  const plain = useMemo(() => plainText(withPlainMentions(text)), [text]);
  return <p className={classes.plain}>{plain}</p>;
}
