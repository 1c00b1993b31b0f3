import { Button, Select, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { bonusComponentKeys, bonusComponents } from '#core/toolbox/bonus.ts';
import { Dialog, DialogActions } from '#web/ui/dialog.tsx';
import { showToast } from '#web/ui/toasts.tsx';
import { type BonusOverview, type OverviewSprint, useCreatePlan } from './bonus-queries.ts';
import classes from './plan-dialog.module.css';
import {
  type Curves,
  curveFields,
  draftOf,
  faultOf,
  type PlanFault,
  planOf,
  startsOf,
  type TypedPlan,
} from './plan-draft.ts';

type Props = { readonly overview: BonusOverview; readonly onClose: () => void };

/** A new version of the plan, beginning from the latest. */
export function PlanDialog({ overview, onClose }: Props) {
  const [typed, setTyped] = useState(() => draftOf(overview));
  const [asked, setAsked] = useState(false);
  const create = useCreatePlan();
  const plan = planOf(typed, overview.bonusPlans[0]?.version ?? 0);
  const fault = faultOf(plan);
  const shown = asked ? fault : null;
  const change = (part: Partial<typeof typed>) => setTyped((old) => ({ ...old, ...part }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setAsked(true);
    if (fault) return;
    create.mutate(plan, {
      onSuccess: ({ createBonusPlan }) => {
        showToast({ message: `Version ${createBonusPlan.version} of the plan is published` });
        onClose();
      },
    });
  };
  return (
    <Dialog opened title={`Version ${plan.after + 1} of the plan`} onClose={onClose} width={560}>
      <form className={classes.form} onSubmit={submit} noValidate>
        <PlanFields typed={typed} starts={startsOf(overview)} fault={shown} onChange={change} />
        <CurveInputs curves={typed.curves} onChange={(curves) => change({ curves })} />
        {shown?.field.startsWith('components') && <Alarm>{shown.message}</Alarm>}
        <Textarea
          size="sm"
          label="What is new"
          description="Everybody reads it beside the plan"
          autosize
          minRows={2}
          maxRows={6}
          value={typed.note}
          error={shown?.field === 'note' && shown.message}
          onChange={(event) => change({ note: event.currentTarget.value })}
        />
        {create.error && <Alarm>{create.error.message}</Alarm>}
        <DialogActions>
          <Button size="sm" variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button size="sm" type="submit" loading={create.isPending}>
            Publish the version
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

function Alarm({ children }: { children: string }) {
  return (
    <p className={classes.error} role="alert">
      {children}
    </p>
  );
}

type PlanFieldsProps = {
  readonly typed: TypedPlan;
  readonly starts: readonly OverviewSprint[];
  readonly fault: PlanFault | null;
  readonly onChange: (part: Partial<TypedPlan>) => void;
};

/** From when the version holds, and what a sprint is worth by it. */
function PlanFields({ typed, starts, fault, onChange }: PlanFieldsProps) {
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

/** The three points and the weight of each part. */
function CurveInputs({ curves, onChange }: { curves: Curves; onChange: (curves: Curves) => void }) {
  return (
    <table className={classes.curves}>
      <thead>
        <tr>
          <th scope="col">Part</th>
          {curveFields.map(([field, title]) => (
            <th key={field} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {bonusComponentKeys.map((key) => (
          <tr key={key}>
            <th scope="row">{bonusComponents[key].title}</th>
            {curveFields.map(([field, title]) => (
              <td key={field}>
                <TextInput
                  size="sm"
                  inputMode="numeric"
                  maxLength={3}
                  aria-label={`${bonusComponents[key].title}: ${title}`}
                  value={curves[key][field]}
                  onChange={(event) =>
                    onChange({ ...curves, [key]: { ...curves[key], [field]: event.currentTarget.value } })
                  }
                />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
