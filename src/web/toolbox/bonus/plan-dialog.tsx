import { Button, Textarea } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { Dialog, DialogActions } from '#web/ui/dialog.tsx';
import { showToast } from '#web/ui/toasts.tsx';
import { type BonusOverview, useCreatePlan } from './bonus-queries.ts';
import { CurveInputs } from './curve-inputs.tsx';
import classes from './plan-dialog.module.css';
import { draftOf, faultOf, planOf, startsOf } from './plan-draft.ts';
import { PlanFields } from './plan-fields.tsx';

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
