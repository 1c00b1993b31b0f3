import { IconAlertTriangle, IconCheck, IconClock, IconX } from '@tabler/icons-react';
import { dayWithYear } from '#core/base/day-words.ts';
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

type Props = {
  readonly state: QualificationState;
  /** Someone gave the role anyway. */
  readonly excepted?: boolean;
  readonly goodUntil?: string | null;
};

/** A qualification's state: glyph and text, never color alone. */
export function StatePill({ state, excepted = false, goodUntil = null }: Props) {
  const Icon = icons[state];
  const notes = [
    goodUntil && `${state === 'expired' ? 'valid until' : 'until'} ${dayWithYear(goodUntil)}`,
    excepted && 'exception',
  ].filter(Boolean);
  return (
    <span className={classes.state}>
      <Pill tone={excepted ? 'quiet' : tones[state]}>
        <Icon size={13} stroke={2.2} aria-hidden="true" />
        {stateWords[state]}
      </Pill>
      {notes.length > 0 && <span className={classes.note}>{notes.join(', ')}</span>}
    </span>
  );
}
