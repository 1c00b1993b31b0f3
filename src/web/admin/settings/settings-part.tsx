import { useQuery } from '@tanstack/react-query';
import { isSetting } from '#core/admin/settings.ts';
import { Panel } from '#web/ui/panel.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import { Loading, SkeletonRows } from '#web/ui/skeleton.tsx';
import { SettingRow } from './setting-row.tsx';
import classes from './settings.module.css';
import { settingsQuery } from './settings-calls.ts';

/** Everything admins can change at run time; the core's settings appear automatically. */
export default function SettingsPart() {
  const { data = [], error, isPending, refetch } = useQuery(settingsQuery);
  return (
    <Panel title="Settings" note="Saved changes take effect immediately, on every server" flush>
      {error && data.length === 0 ? (
        <PanelError sentence="Couldn’t load the settings." requestId={error.requestId} onRetry={() => void refetch()} />
      ) : (
        <Loading loading={isPending} skeleton={<SkeletonRows rows={6} />}>
          <ul className={classes.settings}>
            {data.map(
              (stored) => isSetting(stored.key) && <SettingRow key={stored.key} name={stored.key} stored={stored} />,
            )}
          </ul>
        </Loading>
      )}
    </Panel>
  );
}
