import { useQuery } from '@tanstack/react-query';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { queryClient } from '#web/api/query-client.ts';
import { message, refuse, showPage, viewerWith } from '../../../../test/show-page.tsx';
import { overviewQuery } from './bonus-queries.ts';
import { PlanDialog } from './plan-dialog.tsx';

const curve = { from: 50, full: 100, cap: 120 };
const components = [
  { key: 'signedOff', weight: 50, ...curve },
  { key: 'firstPass', weight: 30, ...curve },
  { key: 'team', weight: 20, ...curve },
];
const version = (number: number, base: string, startDate: string) => ({
  ...{ id: String(number), version: number, base, currency: 'USD', fairHours: 8, components, note: '' },
  from: { id: String(number), name: startDate, startDate },
});
const overview = {
  getSprints: [
    { id: '1', name: '2026 W47', phase: 'active', startDate: '2026-11-16' },
    { id: '2', name: '2026 W48', phase: 'future', startDate: '2026-11-23' },
  ],
  // The latest isn't in effect yet.
  bonusPlans: [version(3, '150', '2026-11-23'), version(2, '120', '2026-11-02')],
};

type Hands = Awaited<ReturnType<typeof showPage>>;
type Draft = { readonly base: string; readonly components: unknown };

/** The last sprint would have paid 100 times the base, to 90 people. */
async function open(paid: object | null = { amount: '12000.5', currency: 'USD', people: 112 }) {
  const asked: Draft[] = [];
  const sent: object[] = [];
  const hands = await showPage(<PlanDialog overview={overview as never} onClose={() => closed.push(1)} />, {
    viewer: viewerWith(),
    answers: {
      BonusPreview: (draft: Draft) => {
        asked.push(draft);
        const wouldPay = { amount: String(Number(draft.base) * 100), currency: 'USD', people: 1 };
        return { bonusPreview: { sprint: { name: '2026 W46' }, paid, wouldPay } };
      },
      CreateBonusPlan: (plan: object) => {
        sent.push(plan);
        return { createBonusPlan: { version: 4 } };
      },
    },
  });
  const closed: number[] = [];
  const preview = within(await screen.findByRole('region', { name: 'What this version pays' }));
  const retype = async (label: string, text: string) => {
    await hands.clear(screen.getByLabelText(label));
    await hands.type(screen.getByLabelText(label), text);
  };
  return { hands, preview, asked, sent, closed, retype };
}

const publish = async (hands: Hands) => hands.click(await screen.findByRole('button', { name: 'Publish version' }));

async function reviewAndPublish(hands: Hands) {
  await hands.click(screen.getByRole('button', { name: 'Review and publish' }));
  await publish(hands);
}

const rowAt = (share: string) =>
  within(screen.getByRole('row', { name: new RegExp(`^${share}`) }))
    .getAllByRole('cell')
    .map((cell) => cell.textContent);

test('Enter publishes nothing before a last step said what changes and what the last sprint would have paid', async () => {
  const { hands, retype, sent } = await open();
  await retype('Base amount per sprint', '12');
  await hands.keyboard('{Enter}');
  const step = within(await screen.findByRole('dialog', { name: 'Publish plan version 4?' }));
  step.getByText(
    'It will be in effect for everyone from 2026 W48. Until then, you can replace it with another version.',
  );
  expect(step.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'Base amount per sprint: 12 USD, was 150 USD',
    '“What’s new” is empty: people won’t see why it changed.',
  ]);
  await expect
    .poll(() => step.getByRole('status').textContent)
    .toBe(
      '2026 W46 would have paid $1,200.00 to 1 person under this version. It paid $12,000.50 to 112 people. This version pays $10,800.50 less.',
    );
  // A second Enter goes back to the form.
  await expect.poll(() => document.activeElement?.textContent).toBe('Keep editing');
  await hands.keyboard('{Enter}');
  await expect.poll(() => screen.queryByRole('dialog', { name: 'Publish plan version 4?' })).toBeNull();
  expect(sent).toEqual([]);
  await reviewAndPublish(hands);
  await message('Plan version 4 published');
  expect(sent).toMatchObject([{ base: '12', after: 3 }]);
});

test('a plan being typed is drawn beside the one in effect, to the cent, and also as a table', async () => {
  const { hands, preview, retype } = await open();
  await hands.click(preview.getByRole('button', { name: /as table$/ }));
  expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual(
    expect.arrayContaining(['All parts at', 'Version 4, draft', 'Version 2, in effect']),
  );
  expect([rowAt('50%'), rowAt('80%'), rowAt('100%')]).toEqual([
    ['$0.00', '$0.00'],
    ['$90.00', '$72.00'],
    ['$150.00', '$120.00'],
  ]);
  await retype('Base amount per sprint', '99.99');
  await retype('Signed-off share: Full at %', '80');
  // Each line is rounded, as in a statement: 50.00 + 18.00 + 12.00.
  expect([rowAt('80%'), rowAt('100%')]).toEqual([
    ['$80.00', '$72.00'],
    ['$109.99', '$120.00'],
  ]);
});

test('a draft that can’t be published says why, and only the plan in effect is drawn', async () => {
  const { preview, retype } = await open();
  await retype('Team result: Weight %', '10');
  expect(preview.getByRole('status').textContent).toBe('The weights add up to 90%. They must add up to 100%.');
  expect(preview.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(['Version 2, in effect']);
  await retype('Team result: Weight %', '2.5');
  expect(preview.getByRole('status').textContent).toBe('Enter valid numbers to see what this version pays.');
});

test('a decimal comma is refused, and commas between thousands are read', async () => {
  const { hands, preview, retype } = await open();
  await retype('Base amount per sprint', '99,50');
  await hands.click(screen.getByRole('button', { name: 'Review and publish' }));
  await screen.findByText('Enter an amount up to a million, such as 120 or 99.50');
  expect(preview.getByRole('status').textContent).toBe('Enter valid numbers to see what this version pays.');
  await retype('Base amount per sprint', '1,500.25');
  await expect.poll(() => preview.getByRole('status').textContent).toContain('$150,025.00');
});

test('a draft in another currency isn’t drawn on one axis with the plan in effect', async () => {
  const { preview, retype } = await open();
  await retype('Currency', 'eur');
  expect(preview.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(['Version 4, draft']);
  preview.getByText('Version 2 pays in USD, so the chart doesn’t show it.');
});

test('the last sprint is asked once typing pauses, and compared with what it paid', async () => {
  const { preview, retype, asked } = await open();
  await expect
    .poll(() => preview.getByRole('status').textContent)
    .toBe(
      '2026 W46 would have paid $15,000.00 to 1 person under this version. It paid $12,000.50 to 112 people. This version pays $2,999.50 more.',
    );
  await retype('Base amount per sprint', '1234');
  await expect.poll(() => preview.getByRole('status').textContent).toContain('$123,400.00');
  expect(asked.length).toBeLessThan(5);
  expect(asked.at(-1)).toMatchObject({ base: '1234', components: { team: { weight: 20, ...curve } } });
});

test('a last sprint without a plan is not compared', async () => {
  const { preview } = await open(null);
  await expect.poll(() => preview.getByRole('status').textContent).toContain('No plan was in effect then.');
});

test('the keys read the chart, and Esc leaves the point before it closes the dialog', async () => {
  const { hands, preview, closed } = await open();
  const chart = preview.getByRole('group', { name: /^What a sprint pays when all parts/ });
  chart.focus();
  await hands.keyboard('{End}');
  expect(chart.textContent).toContain('100%: Version 4, draft $150.00, Version 2, in effect $120.00');
  await hands.keyboard('{Escape}');
  expect(chart.textContent).not.toContain('100%:');
  expect(closed).toEqual([]);
  await hands.keyboard('{Escape}');
  expect(closed).toEqual([1]);
});

function LiveDialog() {
  const { data } = useQuery(overviewQuery);
  return data ? <PlanDialog overview={data} onClose={() => {}} /> : null;
}

/** The dialog is open on version 3, with another base typed, when Ada publishes version 4. */
async function whileAdaPublishes() {
  const plans = [...overview.bonusPlans];
  const sent: { after: number; base: string; components: { team: object } }[] = [];
  const hands = await showPage(<LiveDialog />, {
    viewer: viewerWith(),
    answers: {
      BonusPlans: () => ({ ...overview, bonusPlans: [...plans], bonusQuestions: [] }),
      BonusPreview: () => ({ bonusPreview: null }),
      CreateBonusPlan: (plan: (typeof sent)[number]) => {
        sent.push(plan);
        if (plan.after !== plans[0]!.version)
          refuse('CONFLICT', 'This has changed since you opened it. Review it and try again');
        return { createBonusPlan: { version: plan.after + 1 } };
      },
    },
  });
  const base = await screen.findByLabelText<HTMLInputElement>('Base amount per sprint');
  await hands.clear(base);
  await hands.type(base, '200');
  const weights = [{ ...components[0]!, weight: 40 }, components[1]!, { ...components[2]!, weight: 30 }];
  plans.unshift({ ...version(4, '150', '2026-11-23'), components: weights, author: 'Ada North' } as never);
  const choice = () => screen.findByRole('group', { name: 'Ada North changed this' });
  return { hands, sent, base, choice };
}

test('a version that someone else published is shown before the typed one replaces it, and what it changed stays', async () => {
  const { hands, sent, base, choice } = await whileAdaPublishes();
  await queryClient.invalidateQueries({ queryKey: overviewQuery.queryKey });
  const shown = within(await choice());
  expect(screen.queryByRole('button', { name: 'Review and publish' })).toBeNull();
  expect(base.value).toBe('200');
  expect(screen.getByLabelText<HTMLInputElement>('Team result: Weight %').value).toBe('30');
  await hands.click(shown.getByRole('button', { name: 'Save mine' }));
  await publish(hands);
  await expect.poll(() => sent).toMatchObject([{ after: 4, base: '200', components: { team: { weight: 30 } } }]);
});

test('a refused version is never sent again before the other one was shown', async () => {
  const { hands, sent, choice } = await whileAdaPublishes();
  await reviewAndPublish(hands);
  await choice();
  expect(sent.map(({ after }) => after)).toEqual([3]);
});

test('a version whose answer was lost isn’t taken for someone else’s: Publish sends the same again', async () => {
  const plans = [...overview.bonusPlans];
  const sent: { after: number }[] = [];
  const hands = await showPage(<LiveDialog />, {
    viewer: viewerWith(),
    answers: {
      BonusPlans: () => ({ ...overview, bonusPlans: [...plans], bonusQuestions: [] }),
      BonusPreview: () => ({ bonusPreview: null }),
      CreateBonusPlan: (plan: (typeof sent)[number]) => {
        sent.push(plan);
        if (sent.length === 2) return { createBonusPlan: { version: 4 } };
        plans.unshift({ ...version(4, '200', '2026-11-23'), author: 'Ada North' } as never);
        return refuse('UNAVAILABLE', 'Try again');
      },
    },
  });
  const base = await screen.findByLabelText<HTMLInputElement>('Base amount per sprint');
  await hands.clear(base);
  await hands.type(base, '200');
  await reviewAndPublish(hands);
  await screen.findByText('Try again');
  await reviewAndPublish(hands);
  await message('Plan version 4 published');
  expect(sent[1]).toEqual(sent[0]);
});
