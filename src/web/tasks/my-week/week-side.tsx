import { Link } from '@tanstack/react-router';
import type { VisibleEntry } from '#core/access/navigation.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Panel } from '#web/ui/panel.tsx';
import classes from './week-side.module.css';

/** Where somebody without S.T.A.R.T goes on from here. */
export function YourPages({ pages }: { pages: readonly VisibleEntry[] }) {
  if (pages.length === 0) {
    return (
      <Panel flush>
        <EmptyState title="Nothing else is open to you yet">
          Your account works. What you need for your work, a manager or an administrator adds to your role.
        </EmptyState>
      </Panel>
    );
  }
  return (
    <Panel title="Your pages">
      <ul className={classes.pages}>
        {pages.map((page) => (
          <li key={page.key}>
            {page.children.length === 0 ? (
              <PageLink page={page} />
            ) : (
              <span className={classes.title}>{page.title}</span>
            )}
            {page.children.map((child) => (
              <PageLink key={child.key} page={child} />
            ))}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function PageLink({ page: { title, path, product } }: { page: VisibleEntry }) {
  return (
    <Link to={path} search={(product ? { product } : {}) as never}>
      {title}
    </Link>
  );
}
