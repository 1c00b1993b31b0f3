import { config } from '#web/api/config.ts';
import { useViewer } from '#web/api/viewer.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { Panel } from '#web/ui/panel.tsx';
import classes from './account-page.module.css';

/** Who the person is here. User management changes it. */
export function Profile() {
  const viewer = useViewer();
  return (
    <Panel title="Profile">
      <div className={classes.person}>
        <Avatar name={viewer.name} size={48} />
        <div>
          <p className={classes.name}>{viewer.name}</p>
          <p className={classes.quiet}>{viewer.role ?? 'No role'}</p>
        </div>
      </div>
      <dl className={classes.facts}>
        <dt>Email</dt>
        <dd>{viewer.email}</dd>
        <dt>Time zone</dt>
        <dd>{config().companyTimeZone.replaceAll('_', ' ')}</dd>
      </dl>
    </Panel>
  );
}
