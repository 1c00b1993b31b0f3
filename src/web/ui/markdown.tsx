import type { ComponentType } from 'react';
import { plainText } from '#core/base/plain-text.ts';
import { withPlainMentions } from '#core/tasks/mentions.ts';
import { LazyExtra, lazyPart } from './lazy-part.tsx';
import classes from './markdown.module.css';

type RenderedProps = { readonly text: string; readonly document: boolean };

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
};

/** Markdown from a person. The renderer is large and loads separately; until then the plain text is shown. */
export function Markdown({ text, document = false }: Props) {
  const Renderer = ready ?? Rendered;
  return (
    <div className={document ? `${classes.markdown} ${classes.document}` : classes.markdown}>
      <LazyExtra meanwhile={<p className={classes.plain}>{plainText(withPlainMentions(text))}</p>}>
        <Renderer text={text} document={document} />
      </LazyExtra>
    </div>
  );
}
