import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { showPage } from '../../../../test/show-page.tsx';
import { peopleCountsQuery } from '../shared/people-counts.ts';
import {
  useAskForRole,
  useDeclineRole,
  useMakeLink,
  useRemoveWay,
  useResetFactors,
  useTopFiveSwitch,
} from './users-calls.ts';
import { type User, usersQuery } from './users-queries.ts';

const nora = { id: '7', displayName: 'Nora Lind' } as User;
const changes = {
  'inviting someone': () => useMakeLink(nora.id).mutate,
  'revoking an invitation': () => useRemoveWay(nora).mutate.bind(null, { kind: 'link', id: '1' }),
  'resetting a second step': () => useResetFactors(nora).mutate,
  'asking for a role': () => useAskForRole(nora.id).mutate.bind(null, 'Sales'),
  'declining a role': () => useDeclineRole(nora.id).mutate.bind(null, 'Sales'),
};
const answers = {
  MakeSignInLink: () => ({ makeSignInLink: { kind: 'invite' } }),
  RemoveWayIn: () => ({ removeWayIn: { version: '1' } }),
  ResetSecondFactor: () => ({ resetSecondFactor: { required: false } }),
  AskForRole: () => ({ askForRole: { rolesAsked: [] } }),
  DeclineRole: () => ({ declineRole: { version: '1' } }),
};

it.each(Object.entries(changes))('%s reads the list and the counts again', async (_what, useRun) => {
  const read = { counts: 0, list: 0 };
  function Changing() {
    const run = useRun() as () => void;
    const { data } = useQuery(peopleCountsQuery);
    const list = usersQuery({});
    useQuery({ queryKey: list.queryKey, queryFn: () => ({ pages: [], pageParams: [], list: ++read.list }) });
    return data ? <Button onClick={() => run()}>Change</Button> : null;
  }
  const user = await showPage(<Changing />, {
    answers: { ...answers, PeopleCounts: () => ({ peopleCounts: { invited: ++read.counts } }) },
  });
  await user.click(await screen.findByRole('button', { name: 'Change' }));
  await expect.poll(() => read).toEqual({ counts: 2, list: 2 });
});

it('taking S.T.A.R.T from someone says how many of their tasks stay open', async () => {
  function Switching() {
    const change = useTopFiveSwitch();
    return <Button onClick={() => change({ user: nora, on: false })}>Take</Button>;
  }
  const user = await showPage(<Switching />, {
    answers: {
      SetTop5: () => ({ setTop5: { ...nora, top5From: null } }),
      AccountTies: () => ({ accountTies: { openTasks: 2 } }),
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Take' }));
  await screen.findByText('Nora Lind no longer uses S.T.A.R.T. 2 of their tasks stay open');
});
