import type { FunctionComponent } from 'react';
import { usePageTitle } from '#web/page-title.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { PageHead } from '#web/ui/page-head.tsx';
import { Panel } from '#web/ui/panel.tsx';
import classes from './coming-page.module.css';
import { type ComingPage, comingPages } from './coming-pages.ts';

/** The page of a name, as a component that the router can load. */
export function comingPage(name: ComingPage): FunctionComponent {
  const { sentence, empty, holds } = comingPages[name];
  return function Coming() {
    const title = usePageTitle();
    return (
      <>
        <PageHead title={title} sentence={sentence} />
        <Panel flush>
          <EmptyState title={empty}>
            <p>This page will hold:</p>
            <ul className={classes.holds}>
              {holds.map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          </EmptyState>
        </Panel>
      </>
    );
  };
}
