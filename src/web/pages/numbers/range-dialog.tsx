import '@mantine/dates/styles.layer.css';
import { Button } from '@mantine/core';
import { DatePicker } from '@mantine/dates';
import { useState } from 'react';
import type { Days } from '#core/periods.ts';
import { Dialog, DialogActions } from '#web/ui/dialog.tsx';
import classes from './range-dialog.module.css';

type Props = {
  readonly days: Days;
  readonly onChoose: (from: string, last: string) => void;
  readonly onClose: () => void;
};

/** Two days of a calendar, the first and the last one. */
export default function RangeDialog({ days, onChoose, onClose }: Props) {
  const last = Temporal.PlainDate.from(days.to).subtract({ days: 1 }).toString();
  const [range, setRange] = useState<[string | null, string | null]>([days.from, last]);
  const [from, to] = range;
  const choose = () => {
    if (!from) return;
    onChoose(from, to ?? from);
    onClose();
  };
  return (
    <Dialog opened title="Other days" onClose={onClose} width={360}>
      <div className={classes.calendar}>
        <DatePicker
          type="range"
          allowSingleDateInRange
          value={range}
          onChange={setRange}
          defaultDate={last}
          ariaLabels={{ nextMonth: 'Next month', previousMonth: 'Previous month' }}
        />
      </div>
      <DialogActions>
        <Button size="sm" variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button size="sm" disabled={!from} onClick={choose}>
          Show these days
        </Button>
      </DialogActions>
    </Dialog>
  );
}
