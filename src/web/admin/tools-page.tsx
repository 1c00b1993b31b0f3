import { Tabs } from '@mantine/core';
import { useViewer } from '#web/api/viewer.ts';
import { useAddress } from '#web/shell/address.ts';
import { usePageTitle } from '#web/shell/page-title.ts';
import { LazyPanel } from '#web/ui/lazy-part.tsx';
import { PageHead } from '#web/ui/page-head.tsx';
import { SkeletonRows } from '#web/ui/skeleton.tsx';
import classes from './shared/tools-page.module.css';
import { tabsOf, toolsTabs } from './tools-tabs.ts';

const firstTab = 'tools';

export default function ToolsPage() {
  const tabs = tabsOf(useViewer());
  const [search, change] = useAddress();
  const tab = tabs.find((key) => key === search.tab) ?? firstTab;
  const { Content } = toolsTabs[tab];
  // What a part keeps in the address means nothing to the next one.
  const open = (next: string | null) => {
    const others = Object.fromEntries(Object.keys(search).map((key) => [key, null]));
    change({ ...others, tab: next === firstTab ? null : next });
  };
  return (
    <>
      <PageHead title={usePageTitle()} sentence="The tools of the staff, in one place." />
      <Tabs value={tab} onChange={open} keepMounted={false} className={classes.tabs}>
        <Tabs.List aria-label="Parts of the tools">
          {tabs.map((key) => (
            <Tabs.Tab key={key} value={key}>
              {toolsTabs[key].title}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={tab} className={classes.part}>
          <LazyPanel meanwhile={<SkeletonRows />} attempt={tab}>
            <Content />
          </LazyPanel>
        </Tabs.Panel>
      </Tabs>
    </>
  );
}
