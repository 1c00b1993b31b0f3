import { Checkbox, Switch, TextInput } from '@mantine/core';
import { type ChangeEvent, type KeyboardEvent, useEffect, useEffectEvent, useState } from 'react';
import { isSpan, type QuietHours } from '#core/notifications/quiet-hours.ts';
import { config } from '#web/api/config.ts';
import { Writes } from '#web/ui/writes.tsx';
import classes from './notice-choices.module.css';

type Props = { readonly hours: QuietHours; readonly onChoose: (hours: QuietHours) => void };

/** When emails wait. Saved when a field is left, because half a time is a time too. */
export function QuietHoursFields({ hours, onChoose }: Props) {
  const times = useTimes({ hours, onChoose });
  return (
    <section className={classes.quiet}>
      <Writes>
        <Switch
          label="Quiet hours"
          checked={hours.on}
          onChange={({ currentTarget }) => onChoose({ ...hours, on: currentTarget.checked })}
        />
        {hours.on && (
          <>
            <div className={classes.times}>
              <TextInput type="time" label="From" {...times.field('from')} />
              <TextInput type="time" label="To" {...times.field('to')} error={times.error} />
            </div>
            <Checkbox
              label="All day on weekends and company holidays"
              checked={hours.daysOff}
              onChange={({ currentTarget }) => onChoose({ ...hours, daysOff: currentTarget.checked })}
            />
          </>
        )}
      </Writes>
      <p className={classes.hint}>
        Emails wait until quiet hours end, then arrive as one.
        {hours.on &&
          ` Company time (${config().companyTimeZone}). Emails about your account, your access and your time away, and links to set a password, never wait. Sprint reminders that would be too late aren’t emailed.`}
      </p>
    </section>
  );
}

/** The two times while they are typed. */
function useTimes({ hours, onChoose }: Props) {
  const [typed, setTyped] = useState<Partial<Pick<QuietHours, 'from' | 'to'>>>({});
  const [error, setError] = useState<string | null>(null);
  const save = () => {
    const chosen = { ...hours, from: typed.from || hours.from, to: typed.to || hours.to };
    if (!isSpan(chosen)) return setError('From and To can’t be the same');
    setTyped({});
    if (chosen.from !== hours.from || chosen.to !== hours.to) onChoose(chosen);
  };
  // A dialog closed by Escape takes a field away that nobody left.
  const saveAtEnd = useEffectEvent(save);
  useEffect(() => () => saveAtEnd(), []);
  return {
    error,
    field: (name: 'from' | 'to') => ({
      value: typed[name] ?? hours[name],
      onChange: ({ currentTarget: { value } }: ChangeEvent<HTMLInputElement>) => {
        setError(null);
        setTyped((before) => ({ ...before, [name]: value }));
      },
      onBlur: save,
      onKeyDown: ({ key }: KeyboardEvent) => {
        if (key === 'Enter') save();
      },
    }),
  };
}
