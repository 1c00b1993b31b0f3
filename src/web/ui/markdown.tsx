import { lazy, Suspense } from 'react';
import { withPlainMentions } from '#core/mentions.ts';
import classes from './markdown.module.css';

const Rendered = lazy(() => import('./markdown-rendered.tsx').then((module) => ({ default: module.MarkdownRendered })));

type Props = {
  readonly text: string;
  /** A text of its own with headings of several levels; a note has one. */
  readonly document?: boolean;
};

/** Somebody's text as Markdown. The renderer is large and comes by itself; until then the plain text stands there. */
export function Markdown({ text, document = false }: Props) {
  return (
    <div className={document ? `${classes.markdown} ${classes.document}` : classes.markdown}>
      <Suspense fallback={<p className={classes.plain}>{withPlainMentions(text)}</p>}>
        <Rendered text={text} document={document} />
      </Suspense>
    </div>
  );
}
