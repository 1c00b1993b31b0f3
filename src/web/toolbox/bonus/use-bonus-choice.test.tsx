import { act, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { bonusSearch } from '#core/toolbox/toolbox-search.ts';
import { showPage } from '../../../../test/show-page.tsx';
import type { BonusOverview } from './bonus-queries.ts';
import { type BonusChoice, useBonusChoice } from './use-bonus-choice.ts';

const sprint = (week: number, phase: string) => ({ id: `${week}`, phase, startDate: `2026-W${week}` });

/** `phase`: of the sprint before the current one. `plan`: its first sprint. */
const overviewWith = (phase: string, plan = 40) =>
  ({
    getSprints: [sprint(46, 'settled'), sprint(47, phase), sprint(48, 'active')],
    bonusPlans: [{ from: { startDate: `2026-W${plan}` } }],
  }) as unknown as BonusOverview;

let choice: BonusChoice;
let read: (overview: BonusOverview) => void;

function Page({ overview }: { readonly overview: BonusOverview }) {
  const [data, setData] = useState(overview);
  read = setData;
  choice = useBonusChoice(data);
  return <output>{choice.sprintId}</output>;
}

async function opened(overview: BonusOverview, address = '/') {
  await showPage(<Page overview={overview} />, { address, search: bonusSearch.parse });
  return (await screen.findByRole('status')).textContent;
}

test.each([
  ['the sprint that just ended, until it settles', overviewWith('settling'), '47'],
  ['the current sprint, once the last one settled', overviewWith('settled'), '48'],
  ['the current sprint, if no plan paid for the last one', overviewWith('settling', 48), '48'],
])('opens on %s', async (_which, overview, shown) => {
  expect(await opened(overview)).toBe(shown);
});

test('stays on its sprint when that settles while the page is open', async () => {
  await opened(overviewWith('settling'));
  act(() => read(overviewWith('settled')));
  expect(choice.sprintId).toBe('47');
});

test('the address says which sprint was chosen, also the current one', async () => {
  expect(await opened(overviewWith('settling'), '/?sprint=46')).toBe('46');
  act(() => choice.chooseSprint('48'));
  await expect.poll(() => choice.sprintId).toBe('48');
});
