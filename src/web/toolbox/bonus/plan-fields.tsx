import { Select, TextInput } from '@mantine/core';
import type { OverviewSprint } from './bonus-queries.ts';
import classes from './plan-dialog.module.css';
import type { PlanFault, TypedPlan } from './plan-draft.ts';

type Props = {
  readonly typed: TypedPlan;
  readonly starts: readonly OverviewSprint[];
  readonly fault: PlanFault | null;
  readonly onChange: (part: Partial<TypedPlan>) => void;
};

/** From when the version holds, and what a sprint is worth by it. */
export function PlanFields({ typed, starts, fault, onChange }: Props) {
  const errorOf = (field: string) => fault?.field === field && fault.message;
  return (
    <div className={classes.row}>
      <Select
        size="sm"
        label="Valid from sprint"
        data={starts.map(({ id, name, phase }) => ({
          value: id,
          label: phase === 'active' ? `${name}, running` : `${name}, next`,
        }))}
        value={typed.fromSprintId}
        onChange={(id) => onChange({ fromSprintId: id ?? '' })}
        allowDeselect={false}
      />
      <TextInput
        size="sm"
        label="Fair clock, hours"
        inputMode="numeric"
        value={typed.fairHours}
        error={errorOf('fairHours')}
        onChange={(event) => onChange({ fairHours: event.currentTarget.value })}
      />
      <TextInput
        size="sm"
        label="Base amount a sprint"
        inputMode="decimal"
        value={typed.base}
        error={errorOf('base')}
        onChange={(event) => onChange({ base: event.currentTarget.value })}
        data-autofocus
      />
      <TextInput
        size="sm"
        label="Currency"
        maxLength={3}
        value={typed.currency}
        error={errorOf('currency')}
        onChange={(event) => onChange({ currency: event.currentTarget.value.toUpperCase() })}
      />
    </div>
  );
}
