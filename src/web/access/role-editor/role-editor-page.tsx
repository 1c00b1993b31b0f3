import { Link } from '@tanstack/react-router';
import { refusalAt } from '#core/access/access.ts';
import { roleEditorTabs } from '#core/access/role-editor-search.ts';
import type { Path } from '#core/access/routes.ts';
import { useViewer } from '#web/api/viewer.ts';
import { PageTabs } from '#web/shell/page-tabs.tsx';
import { usePageTitle } from '#web/shell/page-title.ts';
import { lazyPart } from '#web/ui/lazy-part.tsx';
import { PageHead } from '#web/ui/page-head.tsx';
import classes from './role-editor-page.module.css';

const rolesPath = '/role-editor' satisfies Path;
const qualificationsPath = '/role-qualifications' satisfies Path;

const Roles = lazyPart(
  () => import('./roles-part.tsx'),
  (module) => module.default,
);
const Doctor = lazyPart(
  () => import('./doctor-part.tsx'),
  (module) => module.default,
);

/** Add new tabs here. */
const tabs = [
  { key: 'roles', title: roleEditorTabs.roles, content: <Roles /> },
  { key: 'doctor', title: roleEditorTabs.doctor, content: <Doctor /> },
] as const;

export default function RoleEditorPage() {
  return (
    <>
      <PageHead
        title={usePageTitle()}
        sentence="What each role can see and do. Changes take effect when you save them."
        actions={<QualificationsLink />}
      />
      <PageTabs page={rolesPath} label="Role Editor sections" tabs={tabs} />
    </>
  );
}

/** Only for people who can open it: others would be signed out there (D8). */
function QualificationsLink() {
  const viewer = useViewer();
  if (refusalAt(viewer, qualificationsPath) !== null) return null;
  return (
    <Link to={qualificationsPath} className={classes.link}>
      Role qualifications
    </Link>
  );
}
