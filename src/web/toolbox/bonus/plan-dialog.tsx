import { Select, Textarea, TextInput } from '@mantine/core';
import { bonusComponentKeys, bonusComponents } from '#core/toolbox/bonus.ts';
import { createBonusPlanInput, curvesRefusal } from '#core/toolbox/bonus-plans.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { Form, type FormOf, useForm } from '#web/ui/form.tsx';
import { showToast } from '#web/ui/toasts.tsx';
import { type BonusOverview, useCreatePlan } from './bonus-queries.ts';
import classes from './plan-dialog.module.css';
import { curveFields, draftOf, planOf, startsOf, type TypedPlan } from './plan-draft.ts';

type Props = { readonly overview: BonusOverview; readonly onClose: () => void };

/** A new version of the plan, beginning from the latest. */
export function PlanDialog({ overview, onClose }: Props) {
  const after = overview.bonusPlans[0]?.version ?? 0;
  const form = useForm({
    initial: draftOf(overview),
    input: (typed) => planOf(typed, after),
    schema: createBonusPlanInput,
    rule: ({ components }) => curvesRefusal(components),
    errors: {
      base: 'Enter an amount above zero and up to a million, such as 120 or 99.50',
      currency: 'Enter the three letters of a currency, such as USD',
      fairHours: 'Enter whole hours from 1 to 168',
      components: 'Enter whole percents: weights and starts up to 100, the most from 100 to 200',
    },
    mutation: useCreatePlan(),
    onSent: ({ createBonusPlan }) => {
      showToast({ message: `Version ${createBonusPlan.version} of the plan is published` });
      onClose();
    },
  });
  return (
    <Dialog opened title={`Version ${after + 1} of the plan`} onClose={onClose} width={560}>
      <Form form={form} submit="Publish the version">
        <div className={classes.row}>
          <Select
            label="Valid from sprint"
            data={startsOf(overview).map(({ id, name, phase }) => ({
              value: id,
              label: phase === 'active' ? `${name}, running` : `${name}, next`,
            }))}
            allowDeselect={false}
            {...form.field('fromSprintId')}
          />
          <TextInput label="Fair clock, hours" inputMode="numeric" {...form.field('fairHours')} />
          <TextInput label="Base amount a sprint" inputMode="decimal" data-autofocus {...form.field('base')} />
          <TextInput
            label="Currency"
            maxLength={3}
            {...form.field('currency')}
            onChange={(event) => form.set({ currency: event.currentTarget.value.toUpperCase() })}
          />
        </div>
        <CurveInputs form={form} />
        <Textarea
          label="What is new"
          description="Everybody reads it beside the plan"
          autosize
          minRows={2}
          maxRows={6}
          {...form.field('note')}
        />
      </Form>
    </Dialog>
  );
}

/** The three points and the weight of each part. */
function CurveInputs({ form }: { readonly form: FormOf<TypedPlan> }) {
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
                  inputMode="numeric"
                  maxLength={3}
                  aria-label={`${bonusComponents[key].title}: ${title}`}
                  {...form.field(`curves.${key}.${field}`)}
                />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
