import { lazy, Suspense } from 'react';
import { withPlainMentions } from '#core/mentions.ts';
import classes from './markdown.module.css';

const Rendered = lazy(() => import('./markdown-rendered.tsx').then((module) => ({ default: module.MarkdownRendered })));

/** Somebody's text as Markdown. The renderer is large and comes by itself; until then the plain text stands there. */
export function Markdown({ text }: { text: string }) {
  return (
    <div className={classes.markdown}>
      <Suspense fallback={<p className={classes.plain}>{withPlainMentions(text)}</p>}>
        <Rendered text={text} />
      </Suspense>
    </div>
  );
}
