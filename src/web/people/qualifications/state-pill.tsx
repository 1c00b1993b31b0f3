import { IconAlertTriangle, IconCheck, IconClock, IconX } from '@tabler/icons-react';
import type { QualificationState } from '#core/people/qualifications.ts';
import { Pill } from '#web/ui/pill.tsx';
import classes from './state-pill.module.css';

export const stateWords: Readonly<Record<QualificationState, string>> = {
  missing: 'Missing',
  expired: 'Expired',
  expiring: 'Expiring',
  met: 'Met',
};

const icons = { missing: IconX, expired: IconAlertTriangle, expiring: IconClock, met: IconCheck } as const;

const tones = { missing: 'bad', expired: 'bad', expiring: 'warn', met: 'good' } as const;

type Props = { readonly state: QualificationState /** Muted, after the state. */; readonly note?: string | undefined };

/** A qualification's state: glyph and text, never color alone. */
export function StatePill({ state, note }: Props) {
  const Icon = icons[state];
  return (
    <span className={classes.state}>
      <Pill tone={tones[state]}>
        <Icon size={13} stroke={2.2} aria-hidden="true" />
        {stateWords[state]}
      </Pill>
      {note && <span className={classes.note}>{note}</span>}
    </span>
  );
}
