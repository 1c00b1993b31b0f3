import type { ComponentType } from 'react';
import { withPlainMentions } from '#core/tasks/mentions.ts';
import { LazyExtra, lazyPart } from './lazy-part.tsx';
import classes from './markdown.module.css';

type RenderedProps = { readonly text: string; readonly document: boolean };

let ready: ComponentType<RenderedProps> | null = null;

/** Brings the renderer: a page that is mostly text waits for it, so that nothing moves when it comes. */
export async function readyMarkdown(): Promise<ComponentType<RenderedProps>> {
  ready ??= (await import('./markdown-rendered.tsx')).MarkdownRendered;
  return ready;
}

const Rendered = lazyPart(readyMarkdown, (rendered) => rendered);

type Props = {
  readonly text: string;
  /** A text of its own with headings of several levels; a note has one. */
  readonly document?: boolean;
};

/** Somebody's text as Markdown. The renderer is large and comes by itself; until then the plain text stands there. */
export function Markdown({ text, document = false }: Props) {
  const Renderer = ready ?? Rendered;
  return (
    <div className={document ? `${classes.markdown} ${classes.document}` : classes.markdown}>
      <LazyExtra meanwhile={<p className={classes.plain}>{withPlainMentions(text)}</p>}>
        <Renderer text={text} document={document} />
      </LazyExtra>
    </div>
  );
}
