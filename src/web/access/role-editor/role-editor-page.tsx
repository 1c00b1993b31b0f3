import { Tabs } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { FunctionComponent } from 'react';
import { refusalAt } from '#core/access/access.ts';
import type { Path } from '#core/access/routes.ts';
import { useViewer } from '#web/api/viewer.ts';
import { useAddress } from '#web/shell/address.ts';
import { usePageTitle } from '#web/shell/page-title.ts';
import { LazyPanel, lazyPart } from '#web/ui/lazy-part.tsx';
import { PageHead } from '#web/ui/page-head.tsx';
import { SkeletonRows } from '#web/ui/skeleton.tsx';
import classes from './role-editor-page.module.css';

const qualificationsPath: Path = '/role-qualifications';

export default function RoleEditorPage() {
  const [search, change] = useAddress();
  const tab = readTab(search.tab);
  const { Content } = roleEditorTabs[tab];
  return (
    <>
      <PageHead
        title={usePageTitle()}
        sentence="What each role permits. Whoever has a role holds its permissions from their next request on."
        actions={<QualificationsLink />}
      />
      <Tabs value={tab} onChange={(next) => change({ tab: next === 'roles' ? null : next })} keepMounted={false}>
        {roleEditorTabKeys.length > 1 && (
          <Tabs.List aria-label="Parts of the role editor">
            {roleEditorTabKeys.map((key) => (
              <Tabs.Tab key={key} value={key}>
                {roleEditorTabs[key].title}
              </Tabs.Tab>
            ))}
          </Tabs.List>
        )}
        <Tabs.Panel value={tab} className={classes.part}>
          <LazyPanel meanwhile={<SkeletonRows />} attempt={tab}>
            <Content />
          </LazyPanel>
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

/** Only for whom it opens: anybody else would be logged out there (D8). */
function QualificationsLink() {
  const viewer = useViewer();
  if (refusalAt(viewer, qualificationsPath) !== null) return null;
  return (
    <Link to={qualificationsPath} className={classes.link}>
      Role qualifications
    </Link>
  );
}

type Part = { readonly title: string; readonly Content: FunctionComponent };

/** The parts of the role editor. Each loads when it is looked at; a new one is a line here. */
const roleEditorTabs = {
  roles: {
    title: 'Roles',
    Content: lazyPart(
      () => import('./roles-part.tsx'),
      (module) => module.default,
    ),
  },
  doctor: {
    title: 'Permission doctor',
    Content: lazyPart(
      () => import('./doctor-part.tsx'),
      (module) => module.default,
    ),
  },
} as const satisfies Record<string, Part>;

type RoleEditorTab = keyof typeof roleEditorTabs;
const roleEditorTabKeys = Object.keys(roleEditorTabs) as RoleEditorTab[];

/** The first one where the address names none that there is. */
function readTab(text: string | undefined): RoleEditorTab {
  return roleEditorTabKeys.find((key) => key === text) ?? 'roles';
}
