import type { ReactNode } from 'react';
import { useDocumentTitle } from './document-title.ts';
import classes from './layout.module.css';
import { Logo } from './logo.tsx';
import barClasses from './top-bar.module.css';
import { ViewingBanner } from './viewing-banner.tsx';

/** Only a top bar: for the pages outside the navigation. */
export function NavlessLayout({ children }: { children: ReactNode }) {
  useDocumentTitle();
  return (
    <div className={classes.navless}>
      <header className={barClasses.bar}>
        <Logo />
      </header>
      <ViewingBanner />
      <main className={classes.content}>{children}</main>
    </div>
  );
}
