import { Tabs } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Path } from '#core/access/routes.ts';
import { LazyPanel } from '#web/ui/lazy-part.tsx';
import { SkeletonRows } from '#web/ui/skeleton.tsx';
import { type SearchOf, useAddress } from './address.ts';
import classes from './page-tabs.module.css';

type Page = Extract<Path, '/tools' | '/role-editor'>;

type Tab = {
  readonly key: NonNullable<SearchOf<Page>['tab']>;
  readonly title: string /** Fetched when it is opened. */;
  readonly content: ReactNode;
};

type Props = {
  readonly page: Page;
  readonly label: string;
  readonly tabs: readonly [Tab, ...Tab[]];
};

/** The parts of a page, each with its own address. The first one has the page's own address. */
export function PageTabs({ page, label, tabs }: Props) {
  const [search, change] = useAddress(page);
  const [first] = tabs;
  const tab = tabs.find(({ key }) => key === search.tab) ?? first;
  // One part's parameters mean nothing to the next.
  const open = (next: string | null) => {
    const others = Object.fromEntries(Object.keys(search).map((key) => [key, null]));
    change({ ...others, tab: tabs.find((each) => each.key === next && each !== first)?.key ?? null });
  };
  return (
    <Tabs value={tab.key} onChange={open} keepMounted={false} className={classes.tabs}>
      <Tabs.List aria-label={label}>
        {tabs.map(({ key, title }) => (
          <Tabs.Tab key={key} value={key}>
            {title}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value={tab.key} className={classes.part}>
        <LazyPanel fallback={<SkeletonRows />} attempt={tab.key}>
          {tab.content}
        </LazyPanel>
      </Tabs.Panel>
    </Tabs>
  );
}
