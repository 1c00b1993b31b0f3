import '@mantine/dates/styles.layer.css';
import { DatePicker } from '@mantine/dates';
import { useMediaQuery } from '@mantine/hooks';
import { useState } from 'react';
import { longestRangeYears } from '#core/numbers/comparison.ts';
import type { Days } from '#core/numbers/periods.ts';
import { isTooLong } from '#web/api/number-view.ts';
import { Dialog, DialogActions } from '#web/ui/dialog.tsx';
import classes from './range-dialog.module.css';

type Props = {
  readonly days: Days;
  readonly onChoose: (from: string, last: string) => void;
  readonly onClose: () => void;
};

/** A calendar for choosing the first and last day. */
export default function RangeDialog({ days, onChoose, onClose }: Props) {
  const last = Temporal.PlainDate.from(days.to).subtract({ days: 1 }).toString();
  const [range, setRange] = useState<[string | null, string | null]>([days.from, last]);
  const [from, to] = range;
  const months = useMediaQuery('(max-width: 720px)', undefined, { getInitialValueInEffect: false }) ? 1 : 2;
  const tooLong = from !== null && isTooLong({ from, to: dayAfter(to ?? from) });
  const choose = () => {
    if (!from) return;
    onChoose(from, to ?? from);
    onClose();
  };
  return (
    <Dialog opened title="Custom range" onClose={onClose} width={months === 1 ? 340 : 620}>
      <div className={classes.calendar}>
        <DatePicker
          type="range"
          allowSingleDateInRange
          numberOfColumns={months}
          value={range}
          onChange={setRange}
          // The last month on the right, with the previous one.
          defaultDate={Temporal.PlainDate.from(last)
            .subtract({ months: months - 1 })
            .toString()}
          ariaLabels={{ nextMonth: 'Next month', previousMonth: 'Previous month' }}
        />
      </div>
      {tooLong && <p role="alert">Choose at most {longestRangeYears} years.</p>}
      <DialogActions primary="Apply" disabled={!from || tooLong} onPrimary={choose} />
    </Dialog>
  );
}

const dayAfter = (day: string): string => Temporal.PlainDate.from(day).add({ days: 1 }).toString();
