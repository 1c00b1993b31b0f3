import { screen, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { queryClient } from '#web/api/query-client.ts';
import type { SignedIn } from '#web/api/viewer.ts';
import { ConfirmQuestion } from '#web/shell/identity/confirm-question.tsx';
import { refuse, showPage, viewerWith } from '../../../../test/show-page.tsx';
import AccountPage from './account-page.tsx';
import { RoleRequirements } from './role-requirements.tsx';

const ways = {
  ...{ password: { set: false, changedAt: null }, identities: [], sessions: [], calendarFeeds: [], serviceTokens: [] },
  openLink: null,
};
afterEach(() => localStorage.clear());

const steps = { required: false, passkeys: [], authenticator: null, recoveryCodesLeft: 0 };

test('what can’t be loaded of an account is named, and loads with Try again', async () => {
  let isDown = true;
  const orDown = (answer: object) => () => (isDown ? refuse('INTERNAL', 'No') : answer);
  const user = await showPage(<AccountPage />, {
    viewer: viewerWith(),
    answers: {
      MyAccount: () => ({ myAccount: ways }),
      AccountEvents: () => ({ accountEvents: [] }),
      MyRequirements: () => ({ myRequirements: [] }),
      MySecondFactors: orDown({ mySecondFactors: steps }),
      NewSignIns: orDown({ newSignIns: [] }),
    },
  });
  await screen.findByText('Couldn’t load your new sign-ins.');
  await screen.findByText('Couldn’t load your two-step sign-in methods.');
  await user.click(screen.getByRole('button', { name: 'Sign out everywhere' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Sign out everywhere' }));
  await dialog.findByText('Couldn’t load your two-step sign-in methods.');
  isDown = false;
  await user.click(dialog.getByRole('button', { name: 'Try again' }));
  const end = dialog.getByRole<HTMLButtonElement>('button', { name: 'Sign out everywhere' });
  await expect.poll(() => end.disabled).toBe(false);
  await expect.poll(() => screen.queryByText('Couldn’t load your two-step sign-in methods.')).toBeNull();
});

test.each([
  [true, ['Yes, it was me', 'No, secure my account']],
  [false, ['No, secure my account']],
])('a sign-in that this browser can confirm: %s, is answered by %j', async (answerable, buttons) => {
  const signIn = { id: '1', at: '2026-11-16T11:00:00Z', device: 'Firefox', address: '192.0.2.1', how: null };
  await showPage(<AccountPage />, {
    viewer: viewerWith(),
    answers: {
      MyAccount: () => ({ myAccount: ways }),
      AccountEvents: () => ({ accountEvents: [] }),
      MyRequirements: () => ({ myRequirements: [] }),
      MySecondFactors: () => ({ mySecondFactors: steps }),
      NewSignIns: () => ({ newSignIns: [{ ...signIn, answerable }] }),
    },
  });
  const question = await screen.findByRole('region', { name: 'New sign-in: Firefox' });
  expect(
    within(question)
      .getAllByRole('button')
      .map(({ textContent }) => textContent),
  ).toEqual(buttons);
  expect(/confirm it in a browser that you used before/.test(question.textContent)).toBe(!answerable);
});

test('an older server, during an upgrade, lets its new sign-ins be confirmed', async () => {
  const signIn = { id: '1', at: '2026-11-16T11:00:00Z', device: 'Firefox', address: '192.0.2.1', how: null };
  await showPage(<AccountPage />, {
    viewer: viewerWith(),
    answers: {
      MyAccount: () => ({ myAccount: ways }),
      AccountEvents: () => ({ accountEvents: [] }),
      MyRequirements: () => ({ myRequirements: [] }),
      MySecondFactors: () => ({ mySecondFactors: steps }),
      NewSignIns: () => refuse('BAD_INPUT', 'Cannot query field "answerable"'),
      OlderNewSignIns: () => ({ newSignIns: [signIn] }),
    },
  });
  await screen.findByRole('button', { name: 'Yes, it was me' });
});

test('as someone else, an account asks nothing that only its person can see', async () => {
  const viewing = { id: 'admin', name: 'Ada', email: 'ada@b.test', readable: [] };
  await showPage(<AccountPage />, {
    viewer: { ...viewerWith(), viewing } as never,
    answers: { MyAccount: () => refuse('OWN_EYES_ONLY', 'No'), MyRequirements: () => ({ myRequirements: [] }) },
  });
  await screen.findByText('Sign-in and activity are hidden');
  await screen.findByRole('region', { name: 'Profile' });
  expect(screen.queryByRole('button', { name: /Try again|Sign out everywhere/ })).toBeNull();
});

test('where passkeys don’t work, their row says what to do', async () => {
  await showPage(<AccountPage />, {
    viewer: viewerWith(),
    answers: {
      MyAccount: () => ({ myAccount: ways }),
      AccountEvents: () => ({ accountEvents: [] }),
      MyRequirements: () => ({ myRequirements: [] }),
      MySecondFactors: () => ({ mySecondFactors: steps }),
      NewSignIns: () => ({ newSignIns: [] }),
    },
  });
  await screen.findByText('This browser doesn’t support passkeys');
});

test('“Confirm it’s you” says that the second steps didn’t load to someone without a password', async () => {
  await showPage(
    <ConfirmQuestion what="You change a role." email="a@b.test" factorsOnly={false} onClose={() => {}} />,
    {
      answers: {
        MySecondFactors: () => refuse('INTERNAL', 'No'),
        HasPassword: () => ({ myAccount: { password: { set: false } } }),
      },
    },
  );
  await screen.findByText(/^Couldn’t load your two-step sign-in methods/);
});

test('an authenticator app whose answer was lost is shown as added, with the codes that nobody saw', async () => {
  const app = { createdAt: '2026-11-16T11:00:00Z', lastUsedAt: null };
  let isAdded = false;
  const user = await showPage(<AccountPage />, {
    viewer: viewerWith(),
    answers: {
      MyAccount: () => ({ myAccount: ways }),
      AccountEvents: () => ({ accountEvents: [] }),
      MyRequirements: () => ({ myRequirements: [] }),
      MySecondFactors: () => ({
        mySecondFactors: isAdded ? { ...steps, authenticator: app, recoveryCodesLeft: 10 } : steps,
      }),
      NewSignIns: () => ({ newSignIns: [] }),
    },
  });
  const graphql = fetch;
  vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
    if (url.endsWith('/authenticator/options')) return Response.json({ uri: 'otpauth://totp/a', key: 'ABCD' });
    if (!url.endsWith('/authenticator')) return graphql(url, init);
    isAdded = true;
    throw new TypeError('Failed to fetch');
  });
  await user.click(await screen.findByRole('button', { name: 'Set up' }));
  await user.type(await screen.findByLabelText('Code'), '123456');
  await user.click(screen.getByRole('button', { name: 'Turn on' }));
  const dialog = within(screen.getByRole('dialog'));
  await dialog.findByText('Can’t reach the server');
  await user.keyboard('{Escape}');
  await screen.findByText('10 of 10 left.');
  await screen.findByText('. If you didn’t save them, create new codes');
});

const own = (title: string, state: string, goodUntil: string | null = null, kind = 'training') => ({
  ...{ id: title, kind, title, validMonths: goodUntil && 12, state, goodUntil },
});

test.each([
  ['Support', 'Ask Ada North or Bo Day to record your evidence.'],
  ['admin', 'Record your evidence in Role Qualifications.'],
])('someone with the role %s sees what it requires until when, and: %s', async (role, next) => {
  await showPage(<RoleRequirements />, {
    viewer: { ...viewerWith(), role },
    answers: {
      MyRequirements: () => ({
        myRequirements: [own('First aid', 'met', '2027-03-01'), own('Prices', 'expired', '2026-11-01')],
      }),
      AccessHelp: () => ({
        accessHelp: { admins: ['Ada North', 'Bo Day'].map((displayName) => ({ displayName })), roleAsked: null },
      }),
    },
  });
  const panel = await screen.findByRole('region', { name: 'Requirements for your role' });
  await expect.poll(() => panel.textContent).toContain(next);
  expect(
    within(panel)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual([
    'First aid Training, valid for 1 yearMetuntil 1 Mar 2027',
    'Prices Training, valid for 1 yearExpiredvalid until 1 Nov 2026',
  ]);
});

const showOwn = (answer: () => object, viewing: SignedIn['viewing'] = null) =>
  showPage(<RoleRequirements />, {
    viewer: {
      ...viewerWith('VIEW_DASHBOARD', 'VIEW_TOP_5', 'VIEW_TOP_5_TOOLS', 'VIEW_TOP_5_GUIDELINES'),
      ...{ role: 'A', viewing },
    },
    answers: {
      MyRequirements: answer,
      AccessHelp: () => ({ accessHelp: { admins: [{ displayName: 'Ada North' }], roleAsked: null } }),
    },
  });

test('someone who lacks only the guidelines is led to them, and asks nobody', async () => {
  await showOwn(() => ({ myRequirements: [own('Top 5', 'missing', null, 'guideline'), own('Prices', 'met')] }));
  await screen.findByRole('link', { name: 'Read and confirm the guidelines' });
  expect(screen.queryByText(/record your evidence/)).toBeNull();
});

test.each(['expiring', 'expired'])(
  'guidelines that someone confirmed, and that are %s, are recorded by an admin',
  async (state) => {
    await showOwn(() => ({ myRequirements: [own('Top 5', state, '2026-12-01', 'guideline')] }));
    await screen.findByText('Ask Ada North to record your evidence.');
    expect(screen.queryByRole('link', { name: 'Read and confirm the guidelines' })).toBeNull();
  },
);

test('someone who lacks the guidelines and more is told whom to ask for the rest', async () => {
  const requirements = [own('Top 5', 'missing', null, 'guideline'), own('Prices', 'missing')];
  const help = Promise.withResolvers<object>();
  await showPage(<RoleRequirements />, {
    viewer: {
      ...viewerWith('VIEW_DASHBOARD', 'VIEW_TOP_5', 'VIEW_TOP_5_TOOLS', 'VIEW_TOP_5_GUIDELINES'),
      role: 'A',
    },
    answers: { MyRequirements: () => ({ myRequirements: requirements }), AccessHelp: () => help.promise },
  });
  const link = await screen.findByRole('link', { name: 'Read and confirm the guidelines' });
  const hint = link.closest('p') as HTMLElement;
  expect(hint.textContent).toBe('Read and confirm the guidelines. ');
  help.resolve({ accessHelp: { admins: [{ displayName: 'Ada North' }], roleAsked: null } });
  await expect
    .poll(() => hint.textContent)
    .toBe('Read and confirm the guidelines. Ask Ada North to record evidence for your other requirements.');
});

test('requirements that were read before are read again, because confirming the guidelines changes them', async () => {
  queryClient.setQueryData(['qualifications', 'mine', 'A'], [own('Top 5', 'missing', null, 'guideline')]);
  await showOwn(() => ({ myRequirements: [own('Top 5', 'met', null, 'guideline')] }));
  await screen.findByText('Met');
});

test('a role that is viewed as has no requirements of anyone, and they aren’t asked for', async () => {
  let isAsked = false;
  const viewing = { kind: 'role', as: 'A', by: 'Ada', email: 'ada@b.test', readable: [] } as const;
  await showOwn(() => {
    isAsked = true;
    return { myRequirements: [own('Prices', 'missing')] };
  }, viewing);
  await expect.poll(() => queryClient.getQueryState(['qualifications', 'mine', 'A'])?.fetchStatus).toBe('idle');
  expect(isAsked).toBe(false);
  expect(screen.queryByText('Prices')).toBeNull();
});

test('someone who meets everything is asked nothing', async () => {
  await showOwn(() => ({ myRequirements: [own('Top 5', 'met', null, 'guideline'), own('Prices', 'met')] }));
  await screen.findByText('Prices');
  expect(screen.queryByText(/record your evidence|confirm the guidelines/)).toBeNull();
});

test.each([
  ['a role without requirements', () => ({ myRequirements: [] })],
  ['an older server, during an upgrade,', () => refuse('BAD_INPUT', 'Cannot query field "myRequirements"')],
])('%s shows no list of them', async (_what, answer) => {
  await showOwn(answer);
  await expect.poll(() => queryClient.getQueryState(['qualifications', 'mine', 'A'])?.status).toBe('success');
  expect(screen.queryByText(/equirements of your role/)).toBeNull();
});
