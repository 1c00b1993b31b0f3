import { useCallback, useRef, useState } from 'react';
import { oneWayWarning } from '#core/access/holdings.ts';
import { topFivePermission } from '#core/access/permissions.ts';
import { useViewer } from '#web/api/viewer.ts';
import { ConfirmDialog } from '#web/ui/dialog.tsx';
import { type TopFiveSwitch, useTopFiveSwitch } from './users-calls.ts';
import type { User } from './users-queries.ts';

/** The switch of the list. It asks first where the viewer couldn't switch on again what they switch off. */
export function useAskedTopFive() {
  const warning = oneWayWarning(useViewer(), [topFivePermission]);
  const change = useTopFiveSwitch();
  const latest = useRef(change);
  latest.current = change;
  const [asked, setAsked] = useState<User | null>(null);
  const close = () => setAsked(null);
  const onSwitch: TopFiveSwitch = useCallback(
    (wanted) => (warning !== null && !wanted.on ? setAsked(wanted.user) : latest.current(wanted)),
    [warning],
  );
  const question = asked && (
    <ConfirmDialog
      opened
      title={`Take ${asked.displayName} out of Top 5?`}
      confirm="Take out of Top 5"
      danger
      onClose={close}
      onConfirm={() => {
        change({ user: asked, on: false, isFinal: true });
        close();
      }}
    >
      <p>{asked.displayName} keeps no tasks in S.T.A.R.T then. What they did stays.</p>
      <p>{warning}.</p>
    </ConfirmDialog>
  );
  return { onSwitch, question };
}
