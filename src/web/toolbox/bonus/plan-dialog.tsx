import { Button, Select, Textarea, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { decimalText, readDecimal } from '#core/base/decimals.ts';
import { plural } from '#core/base/formats.ts';
import { readInput } from '#core/base/inputs.ts';
import { isRefusal } from '#core/base/refusals.ts';
import {
  type BonusComponent,
  type BonusCurve,
  type BonusPlan,
  bonusComponentKeys,
  bonusComponents,
  defaultCurve,
  defaultFairHours,
  linesAt,
  type Share,
  totalOf,
} from '#core/toolbox/bonus.ts';
import { bonusDraftInput, createBonusPlanInput, curvesRefusal, planStartRefusal } from '#core/toolbox/bonus-plans.ts';
import { shortWords } from '#web/charts/number-format.ts';
import { type TrendLine, TrendLines } from '#web/charts/trend-lines.tsx';
import { ConfirmDialog, Dialog } from '#web/ui/dialog.tsx';
import { Form, type FormOf, useForm, useSendCheck } from '#web/ui/form.tsx';
import { typingPauseMs } from '#web/ui/timing.ts';
import { showToast } from '#web/ui/toasts.tsx';
import {
  type BonusOverview,
  corePlan,
  type Draft,
  type NewPlan,
  type OverviewSprint,
  type PlanVersion,
  type Preview,
  planInEffect,
  previewQuery,
  useCreatePlan,
} from './bonus-queries.ts';
import { exactMoney, money, moreOrLess, percentLabels, percents } from './bonus-words.ts';
import classes from './plan-dialog.module.css';

type PlanPreviewProps = { readonly overview: BonusOverview; readonly typed: NewPlan };

/** What the typed plan pays beside the plan in effect, and what the last sprint would have paid under it. */
function PlanPreview({ overview, typed }: PlanPreviewProps) {
  const input = readInput(bonusDraftInput, draftIn(typed));
  const wrong = isRefusal(input)
    ? 'Enter valid numbers to see what this version pays'
    : curvesRefusal(typed.components)?.message;
  const draft = isRefusal(input) || wrong !== undefined ? null : input;
  return (
    <section className={classes.preview} aria-label="What this version pays">
      <p className={classes.caption}>What a sprint pays when all parts reach the same share</p>
      <PayChart overview={overview} draft={draft} version={typed.after + 1} />
      {draft ? <LastSprint draft={draft} /> : <p role="status">{wrong}.</p>}
    </section>
  );
}

const draftIn = ({ base, currency, fairHours, components }: NewPlan): Draft => ({
  base,
  currency,
  fairHours,
  components,
});

type Charted = { readonly overview: BonusOverview; readonly draft: Draft | null; readonly version: number };

function PayChart({ overview, draft, version }: Charted) {
  const current = planInEffect(overview);
  const currency = draft?.currency ?? current?.currency ?? 'USD';
  const plans = [
    ...(draft ? [{ title: `Version ${version}, draft`, look: 'main', plan: planOfDraft(draft) } as const] : []),
    ...(current
      ? [{ title: `Version ${current.version}, in effect`, look: 'previous', plan: corePlan(current) } as const]
      : []),
  ];
  return (
    <>
      <TrendLines
        title="What a sprint pays when all parts reach the same share"
        of="All parts at"
        labels={percentLabels}
        lines={plans.filter(({ plan }) => plan.currency === currency).map(payLine)}
        format={(value) => shortWords(value, 'money', currency)}
      />
      {current && current.currency !== currency && (
        <p>
          Version {current.version} pays in {current.currency}, so the chart doesn’t show it.
        </p>
      )}
    </>
  );
}

const planOfDraft = ({ base, ...draft }: Draft): BonusPlan => ({ ...draft, base: readDecimal(base) ?? 0n });

type Line = Pick<TrendLine, 'title' | 'look'> & { readonly plan: BonusPlan };

/** The chart's places are numbers; its texts are exact. */
function payLine({ title, look = 'line', plan }: Line): TrendLine {
  const amounts = percents.map((part) => totalOf(linesAt(plan, everyPartAt({ part, whole: 100 }))));
  const shown = amounts.map((amount) => exactMoney(amount, plan.currency));
  return { key: look, title, look, values: amounts.map((amount) => Number(decimalText(amount))), shown };
}

const everyPartAt = (share: Share) => ({ signedOff: share, firstPass: share, team: share });

function LastSprint({ draft }: { readonly draft: Draft }) {
  const [settled] = useDebouncedValue(draft, typingPauseMs);
  const { data, isError, isFetching, refetch } = useQuery(previewQuery(settled));
  if (isError && data === undefined)
    return (
      <p role="alert">
        Couldn’t calculate the last sprint.{' '}
        <Button variant="subtle" size="compact-sm" onClick={() => void refetch()}>
          Try again
        </Button>
      </p>
    );
  const isLatest = !isFetching && JSON.stringify(settled) === JSON.stringify(draft);
  return (
    <p role="status" aria-busy={!isLatest} className={classes.last}>
      {data === null && 'No sprint has settled yet.'}
      {data === undefined && 'Calculating the last sprint…'}
      {data && <LastSprintWords preview={data} />}
    </p>
  );
}

function LastSprintWords({ preview: { sprint, paid, wouldPay } }: { readonly preview: Preview }) {
  return (
    <>
      {sprint.name} would have paid <strong>{money(wouldPay.amount, wouldPay.currency)}</strong> to{' '}
      {plural(wouldPay.people, 'person', 'people')} under this version.{' '}
      {paid
        ? `It paid ${money(paid.amount, paid.currency)} to ${plural(paid.people, 'person', 'people')}${difference(paid, wouldPay)}`
        : 'No plan was in effect then.'}
    </>
  );
}

function difference(paid: NonNullable<Preview['paid']>, wouldPay: Preview['wouldPay']): string {
  if (paid.currency !== wouldPay.currency) return '.';
  const more = (readDecimal(wouldPay.amount) ?? 0n) - (readDecimal(paid.amount) ?? 0n);
  return `. This version pays ${moreOrLess(more, paid.currency)}.`;
}

type Props = { readonly overview: BonusOverview; readonly onClose: () => void };

/** A new version of the plan, based on the latest. */
export function PlanDialog({ overview, onClose }: Props) {
  const [latest] = overview.bonusPlans;
  const after = latest?.version ?? 0;
  const form = useForm({
    initial: draftOf(overview),
    input: (typed) => planOf(typed, after),
    schema: createBonusPlanInput,
    rule: ({ components }) => curvesRefusal(components),
    errors: {
      base: 'Enter an amount up to a million, such as 120 or 99.50',
      currency: 'Enter a currency code, such as USD',
      fairHours: 'Enter whole hours from 1 to 168',
      components: 'Enter whole percentages up to 100. “At most” must be from 100 to 200',
    },
    mutation: useCreatePlan(),
    variables: (plan, version) => ({ ...plan, after: version }),
    saved: { version: after, values: draftOf(overview), words: wordsOf, by: latest?.author ?? null, onKept: onClose },
    onSent: ({ createBonusPlan }) => {
      showToast({ message: `Plan version ${createBonusPlan.version} published` });
      onClose();
    },
  });
  return (
    <Dialog opened title={`Plan version ${after + 1}`} onClose={onClose} width={560}>
      <Form form={form} submit="Review and publish">
        <div className={classes.row}>
          <Select
            label="In effect from sprint"
            data={startsOf(overview).map(({ id, name, phase }) => ({
              value: id,
              label: phase === 'active' ? `${name}, current` : `${name}, next`,
            }))}
            allowDeselect={false}
            {...form.field('fromSprintId')}
          />
          <TextInput label="Held up after (working hours)" inputMode="numeric" {...form.field('fairHours')} />
          <TextInput label="Base amount per sprint" inputMode="decimal" data-autofocus {...form.field('base')} />
          <TextInput
            label="Currency"
            maxLength={3}
            {...form.field('currency')}
            onChange={(event) => form.set({ currency: event.currentTarget.value.toUpperCase() })}
          />
        </div>
        <CurveInputs form={form} />
        <PlanPreview overview={overview} typed={planOf(form.values, after)} />
        <Textarea
          label={whatsNew}
          description="Everyone sees this next to the plan"
          autosize
          minRows={2}
          maxRows={6}
          {...form.field('note')}
        />
        <LastStep form={form} overview={overview} />
      </Form>
    </Dialog>
  );
}

type LastStepProps = Pick<Props, 'overview'> & { readonly form: FormOf<TypedPlan> };

/** A version changes everyone's pay and can't be undone, so its effect is shown before it is sent. */
function LastStep({ form, overview }: LastStepProps) {
  const [isAsked, setAsked] = useState(false);
  const isAgreed = useRef(false);
  const [latest] = overview.bonusPlans;
  const after = latest?.version ?? 0;
  const typed = planOf(form.values, after);
  const input = readInput(createBonusPlanInput, typed);
  const draft = isRefusal(input) || curvesRefusal(typed.components) ? null : draftIn(typed);
  useSendCheck(() => {
    if (isAgreed.current || !draft) return true;
    setAsked(true);
    return false;
  });
  const publish = () => {
    setAsked(false);
    isAgreed.current = true;
    form.send();
    isAgreed.current = false;
  };
  const from = overview.getSprints.find(({ id }) => id === form.values.fromSprintId);
  return (
    <ConfirmDialog
      opened={isAsked && draft !== null}
      title={`Publish plan version ${after + 1}?`}
      confirm="Publish version"
      cancel="Keep editing"
      danger
      onConfirm={publish}
      onClose={() => setAsked(false)}
    >
      <div className={classes.step}>
        <p>
          {from?.phase === 'active'
            ? `It takes effect now and can’t be changed in ${from.name}.`
            : `It will be in effect for everyone from ${from?.name}. Until then, you can replace it with another version.`}
        </p>
        {latest && <Changes before={wordsOf(draftOf(overview))} now={wordsOf(form.values)} />}
        {draft && <LastSprint draft={draft} />}
      </div>
    </ConfirmDialog>
  );
}

type Words = Readonly<Record<string, string>>;

/** What the version changes, except the explanation that comes with it. */
function Changes({ before, now }: { readonly before: Words; readonly now: Words }) {
  const changed = Object.entries(now).filter(([name, words]) => name !== whatsNew && words !== before[name]);
  return (
    <ul>
      {changed.map(([name, words]) => (
        <li key={name}>
          {name}: <strong>{words}</strong>, was {before[name]}
        </li>
      ))}
      {now[whatsNew]?.trim() === '' && <li>“{whatsNew}” is empty: people won’t see why it changed.</li>}
    </ul>
  );
}

/** Each part's three points and its weight. */
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

// A version of the plan being typed: texts in the form.
type Curves = Record<BonusComponent, Record<keyof BonusCurve, string>>;
type TypedPlan = {
  fromSprintId: string;
  base: string;
  currency: string;
  fairHours: string;
  note: string;
  curves: Curves;
};

const curveFields = [
  ['weight', 'Weight %'],
  ['from', 'Pays from %'],
  ['full', 'Full at %'],
  ['cap', 'At most %'],
] as const satisfies readonly (readonly [keyof BonusCurve, string])[];
const firstWeights: Record<BonusComponent, number> = { signedOff: 50, firstPass: 30, team: 20 };

function typedCurves(latest: PlanVersion | undefined): Curves {
  const curveOf = (key: BonusComponent): BonusCurve =>
    latest?.components.find((each) => each.key === key) ?? { weight: firstWeights[key], ...defaultCurve };
  const typed = (key: BonusComponent) =>
    Object.fromEntries(curveFields.map(([field]) => [field, String(curveOf(key)[field])])) as Curves[BonusComponent];
  return { signedOff: typed('signedOff'), firstPass: typed('firstPass'), team: typed('team') };
}

/** When a plan can start: the same rule of the core as on the server. */
function startsOf(overview: BonusOverview): OverviewSprint[] {
  const holds = planInEffect(overview) !== undefined;
  return overview.getSprints.filter(({ phase }) => planStartRefusal(phase as 'active', holds) === null);
}

const whatsNew = 'What’s new';

/** What differs, if someone else publishes a version while this one is typed. */
const wordsOf = ({ base, currency, fairHours, note, curves }: TypedPlan): Words => ({
  'Held up after (working hours)': fairHours,
  'Base amount per sprint': `${base} ${currency}`,
  ...Object.fromEntries(
    bonusComponentKeys.map((key) => [
      bonusComponents[key].title,
      curveFields.map(([field, title]) => `${title} ${curves[key][field]}`).join(', '),
    ]),
  ),
  [whatsNew]: note,
});

/** Commas only group thousands: in "99,50" it is the decimal sign of other countries, which is refused. */
const amountOf = (typed: string): string => {
  const text = typed.replace(/\s/g, '');
  return /^[1-9]\d{0,2}(,\d{3})+(\.\d+)?$/.test(text) ? text.replaceAll(',', '') : text;
};

const whole = (text: string): number => (/^\d{1,4}$/.test(text.trim()) ? Number(text) : Number.NaN);

function planOf({ curves, fairHours, base, ...rest }: TypedPlan, after: number): NewPlan {
  const curve = (key: BonusComponent) =>
    Object.fromEntries(curveFields.map(([field]) => [field, whole(curves[key][field])])) as BonusCurve;
  const components = { signedOff: curve('signedOff'), firstPass: curve('firstPass'), team: curve('team') };
  return { ...rest, base: amountOf(base), fairHours: whole(fairHours), components, after };
}

/** The form starts with the latest version. */
function draftOf(overview: BonusOverview): TypedPlan {
  const [latest] = overview.bonusPlans;
  return {
    fromSprintId: startsOf(overview)[0]?.id ?? '',
    base: latest?.base ?? '',
    currency: latest?.currency ?? 'USD',
    fairHours: String(latest?.fairHours ?? defaultFairHours),
    note: '',
    curves: typedCurves(latest),
  };
}
