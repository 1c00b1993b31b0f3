import { Button, Select, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import {
  type BonusComponent,
  type BonusCurve,
  bonusComponentKeys,
  bonusComponents,
  defaultCurve,
  defaultFairHours,
} from '#core/bonus.ts';
import { createBonusPlanInput, curvesRefusal, planStartRefusal } from '#core/bonus-plans.ts';
import { readInput } from '#core/inputs.ts';
import { isRefusal } from '#core/refusals.ts';
import { Dialog, DialogActions } from '#web/ui/dialog.tsx';
import { showToast } from '#web/ui/toasts.tsx';
import {
  type BonusOverview,
  type NewPlan,
  type OverviewSprint,
  type PlanVersion,
  useCreatePlan,
} from './bonus-queries.ts';
import classes from './plan-dialog.module.css';

type Curves = Record<BonusComponent, Record<keyof BonusCurve, string>>;
type Typed = { fromSprintId: string; base: string; currency: string; fairHours: string; note: string; curves: Curves };

const fields = [
  ['weight', 'Weight %'],
  ['from', 'Nothing up to %'],
  ['full', 'Full at %'],
  ['cap', 'At most %'],
] as const satisfies readonly (readonly [keyof BonusCurve, string])[];
const firstWeights: Record<BonusComponent, number> = { signedOff: 50, firstPass: 30, team: 20 };

function typedCurves(latest: PlanVersion | undefined): Curves {
  const curveOf = (key: BonusComponent): BonusCurve =>
    latest?.components.find((each) => each.key === key) ?? { weight: firstWeights[key], ...defaultCurve };
  const typed = (key: BonusComponent) =>
    Object.fromEntries(fields.map(([field]) => [field, String(curveOf(key)[field])])) as Curves[BonusComponent];
  return { signedOff: typed('signedOff'), firstPass: typed('firstPass'), team: typed('team') };
}

/** Where a plan may begin: the core says, as the server does. */
function startsOf({ getSprints, bonusPlans }: BonusOverview): OverviewSprint[] {
  const current = getSprints.find(({ phase }) => phase === 'active');
  const holds = current !== undefined && bonusPlans.some(({ from }) => (from.startDate ?? '') <= current.startDate);
  return getSprints.filter(({ phase }) => planStartRefusal(phase as 'active', holds) === null);
}

const whole = (text: string): number => (/^\d{1,4}$/.test(text.trim()) ? Number(text) : Number.NaN);

function planOf({ curves, fairHours, base, ...rest }: Typed, after: number): NewPlan {
  const curve = (key: BonusComponent) =>
    Object.fromEntries(fields.map(([field]) => [field, whole(curves[key][field])])) as BonusCurve;
  const components = { signedOff: curve('signedOff'), firstPass: curve('firstPass'), team: curve('team') };
  return { ...rest, base: base.replace(/[\s,]/g, ''), fairHours: whole(fairHours), components, after };
}

/** The message beside the input at fault, or null; asked of the core. */
function faultOf(plan: NewPlan): { readonly field: string; readonly message: string } | null {
  const read = readInput(createBonusPlanInput, plan);
  const refusal = isRefusal(read) ? read : curvesRefusal(read.components);
  return refusal && { field: refusal.field ?? '', message: words(refusal.field ?? '', refusal.message) };
}

function words(field: string, message: string): string {
  if (field === 'base') return 'Enter an amount above zero and up to a million, such as 120 or 99.50';
  if (field === 'currency') return 'Enter the three letters of a currency, such as USD';
  if (field === 'fairHours') return 'Enter whole hours from 1 to 168';
  return field.startsWith('components.') && message.startsWith(field)
    ? 'Enter whole percents: weights and starts up to 100, the most from 100 to 200'
    : message;
}

type Props = { readonly overview: BonusOverview; readonly onClose: () => void };

/** A new version of the plan, beginning from the latest. */
export function PlanDialog({ overview, onClose }: Props) {
  const [latest] = overview.bonusPlans;
  const starts = startsOf(overview);
  const [typed, setTyped] = useState<Typed>({
    fromSprintId: starts[0]?.id ?? '',
    base: latest?.base ?? '',
    currency: latest?.currency ?? 'USD',
    fairHours: String(latest?.fairHours ?? defaultFairHours),
    note: '',
    curves: typedCurves(latest),
  });
  const [asked, setAsked] = useState(false);
  const create = useCreatePlan();
  const plan = planOf(typed, latest?.version ?? 0);
  const fault = faultOf(plan);
  const errorOf = (field: string) => asked && fault?.field === field && fault.message;
  const change = (part: Partial<Typed>) => setTyped((old) => ({ ...old, ...part }));
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
        <div className={classes.row}>
          <Select
            size="sm"
            label="Valid from sprint"
            data={starts.map(({ id, name, phase }) => ({
              value: id,
              label: phase === 'active' ? `${name}, running` : `${name}, next`,
            }))}
            value={typed.fromSprintId}
            onChange={(id) => change({ fromSprintId: id ?? '' })}
            allowDeselect={false}
          />
          <TextInput
            size="sm"
            label="Fair clock, hours"
            inputMode="numeric"
            value={typed.fairHours}
            error={errorOf('fairHours')}
            onChange={(event) => change({ fairHours: event.currentTarget.value })}
          />
          <TextInput
            size="sm"
            label="Base amount a sprint"
            inputMode="decimal"
            value={typed.base}
            error={errorOf('base')}
            onChange={(event) => change({ base: event.currentTarget.value })}
            data-autofocus
          />
          <TextInput
            size="sm"
            label="Currency"
            maxLength={3}
            value={typed.currency}
            error={errorOf('currency')}
            onChange={(event) => change({ currency: event.currentTarget.value.toUpperCase() })}
          />
        </div>
        <CurveInputs curves={typed.curves} onChange={(curves) => change({ curves })} />
        {asked && fault?.field.startsWith('components') && (
          <p className={classes.error} role="alert">
            {fault.message}
          </p>
        )}
        <Textarea
          size="sm"
          label="What is new"
          description="Everybody reads it beside the plan"
          autosize
          minRows={2}
          maxRows={6}
          value={typed.note}
          error={errorOf('note')}
          onChange={(event) => change({ note: event.currentTarget.value })}
        />
        {create.error && (
          <p className={classes.error} role="alert">
            {create.error.message}
          </p>
        )}
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

function CurveInputs({ curves, onChange }: { curves: Curves; onChange: (curves: Curves) => void }) {
  return (
    <table className={classes.curves}>
      <thead>
        <tr>
          <th scope="col">Part</th>
          {fields.map(([field, title]) => (
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
            {fields.map(([field, title]) => (
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
