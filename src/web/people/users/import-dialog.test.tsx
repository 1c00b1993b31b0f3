import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { showPage } from '../../../../test/show-page.tsx';
import { ImportDialog } from './import-dialog.tsx';

const row = { line: 2, email: 'ada@company.test', outcome: 'created', reason: null, changes: [], roleAsked: null };

type Links = Readonly<Record<string, (variables: never) => unknown>>;
type Around = { readonly links?: Links; readonly onClose?: () => void };

/** The dialog, and the dry runs that it sent. `more`: of the answer, or of the answer to the nth call. */
async function openImport(
  rows: readonly object[] = [row],
  unused: readonly string[] = [],
  more: object | ((call: number) => object) = {},
  { links, onClose = () => {} }: Around = {},
) {
  const sent: boolean[] = [];
  const user = await showPage(<ImportDialog opened onClose={onClose} />, links && { answers: links });
  const fetched = globalThis.fetch;
  globalThis.fetch = async (url, init) => {
    if (!String(url).endsWith('/api/people/import')) return fetched(url, init);
    sent.push((JSON.parse(String(init?.body)) as { dryRun: boolean }).dryRun);
    return Response.json({
      rows,
      unused,
      withoutTopFive: 0,
      uninvited: [],
      ...(typeof more === 'function' ? more(sent.length) : more),
    });
  };
  const choose = async (file: File) => user.upload(await screen.findByLabelText('CSV or Excel file'), file);
  return { user, sent, choose };
}

const uninvited = ['7', '8'].map((id) => ({ id, displayName: `Person ${id}`, email: `${id}@company.test` }));
const people = () => new File(['email\nada@company.test'], 'people.csv');

test('a file that changed after it was chosen is asked for again', async () => {
  const { user, sent, choose } = await openImport();
  const file = people();
  await choose(file);
  file.arrayBuffer = () => Promise.reject(new DOMException('The requested file could not be read', 'NotReadableError'));
  await user.click(await screen.findByRole('button', { name: 'Import one person' }));
  await screen.findByText('The file changed. Choose it again');
  expect(sent).toEqual([true]);
});

test('columns that aren’t imported are a warning of their own', async () => {
  const { choose } = await openImport([row], ['Vorname', 'Rolle']);
  await choose(people());
  expect((await screen.findByRole('alert')).textContent).toBe(
    '2 columns aren’t imported: Vorname, Rolle. The template lists the columns that are.',
  );
});

test('one column that isn’t imported is spoken of as one', async () => {
  const { choose } = await openImport([row], ['Start date']);
  await choose(people());
  expect((await screen.findByRole('alert')).textContent).toBe(
    '1 column isn’t imported: Start date. The template lists the columns that are.',
  );
});

test('the preview says who won’t use S.T.A.R.T because the file doesn’t mention it', async () => {
  const { choose } = await openImport([row], [], { withoutTopFive: 3 });
  await choose(people());
  await screen.findByText(/^3 new people won’t use S\.T\.A\.R\.T\. To change that, import yes in a column/);
});

test('one press invites the people who can’t sign in and nobody else, and stays until their links are saved', async () => {
  const invited: string[] = [];
  const links = {
    MakeSignInLink: ({ userId }: { userId: string }) => {
      invited.push(userId);
      const link = { kind: 'invite', token: `token-${userId}`, mailedTo: null, mailFailed: false };
      return { makeSignInLink: { ...link, expiresAt: '2026-11-25T10:00:00Z' } };
    },
  };
  const { user, choose } = await openImport([row, { ...row, line: 3 }], [], { uninvited }, { links });
  await choose(people());
  await user.click(await screen.findByRole('button', { name: 'Import 2 people' }));
  await screen.findByText(/^2 people in this file can’t sign in until you invite them\./);
  await user.click(screen.getByRole('button', { name: 'Invite 2 people' }));
  await screen.findByText(/^Send 2 invitations yourself\./);
  expect(invited).toEqual(['7', '8']);
  expect(screen.getByLabelText<HTMLInputElement>('CSV or Excel file').disabled).toBe(true);
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Done' }).disabled).toBe(true);
  screen.getByRole('button', { name: 'Download the links' });
});

test('an import that fails leaves its preview, and the button tries again', async () => {
  const { user, sent, choose } = await openImport();
  await choose(people());
  const button = await screen.findByRole('button', { name: 'Import one person' });
  const fetched = globalThis.fetch;
  globalThis.fetch = async () => Response.json({ error: { code: 'INTERNAL', message: 'No' } }, { status: 500 });
  await user.click(button);
  await screen.findByRole('alert');
  screen.getByText('ada@company.test');
  globalThis.fetch = fetched;
  await user.click(screen.getByRole('button', { name: 'Import one person' }));
  await screen.findByText(/^Imported: 1 added/);
  expect(sent).toEqual([true, false]);
});

test('after a lost answer nothing is said to be unsaved, and the next import invites the people it added', async () => {
  const unchanged = { ...row, outcome: 'unchanged' };
  const second = { rows: [unchanged, { ...unchanged, line: 3 }], uninvited };
  const { user, choose } = await openImport([row, { ...row, line: 3 }], [], (call: number) => (call > 1 ? second : {}));
  await choose(people());
  await screen.findByText(/^Nothing saved yet: 2 to add/);
  const fetched = globalThis.fetch;
  globalThis.fetch = (url, init) =>
    String(url).endsWith('/import') ? Promise.reject(new TypeError('Failed to fetch')) : fetched(url, init);
  await user.click(await screen.findByRole('button', { name: 'Import 2 people' }));
  await screen.findByText('The import may be incomplete. Import again: nobody is added twice.');
  expect(screen.queryByText(/^Nothing saved yet/)).toBeNull();
  globalThis.fetch = fetched;
  await user.click(screen.getByRole('button', { name: 'Import 2 people' }));
  await screen.findByText(/^Imported: 0 added, 0 changed, 2 unchanged/);
  await screen.findByRole('button', { name: 'Invite 2 people' });
});

test('a file that changes nothing offers inviting those who can’t sign in, and otherwise nothing', async () => {
  const unchanged = { ...row, outcome: 'unchanged' };
  const { choose } = await openImport([unchanged], [], (call: number) => (call === 1 ? { uninvited } : {}));
  await choose(people());
  await screen.findByRole('button', { name: 'Invite 2 people' });
  await choose(people());
  const button = await screen.findByRole<HTMLButtonElement>('button', { name: 'Import 0 people' });
  expect(button.disabled).toBe(true);
});

test('an import that is refused saved nothing', async () => {
  const { user, choose } = await openImport();
  await choose(people());
  const button = await screen.findByRole('button', { name: 'Import one person' });
  globalThis.fetch = async () =>
    Response.json({ error: { code: 'TOO_MANY_ATTEMPTS', message: 'No', statusCode: 429 } }, { status: 429 });
  await user.click(button);
  await screen.findByRole('alert');
  screen.getByText(/^Nothing saved yet/);
});

test('an import by a server of an older version, which doesn’t say who can’t sign in, ends too', async () => {
  const { user, choose } = await openImport([row], [], { uninvited: undefined });
  await choose(people());
  await user.click(await screen.findByRole('button', { name: 'Import one person' }));
  await screen.findByText(/^Imported: 1 added/);
  await screen.findByRole('button', { name: 'Done' });
});

test('the same file is read again when it is chosen again', async () => {
  const { sent, choose } = await openImport();
  const file = people();
  await choose(file);
  await screen.findByRole('button', { name: 'Import one person' });
  await choose(file);
  await expect.poll(() => sent).toEqual([true, true]);
});

test('the preview names each field that a row changes, old to new', async () => {
  const name = { field: 'Last name', before: 'Hoffmann', after: 'Changed' };
  const team = { field: 'Team', before: 'none', after: 'Green' };
  const reason = 'Role Sales not given yet: it needs an admin’s OK';
  const { choose } = await openImport([
    { ...row, email: 'new@company.test', changes: [team] },
    { ...row, line: 3, outcome: 'changed', reason, changes: [name, team], roleAsked: 'Sales' },
  ]);
  await choose(people());
  await screen.findByText('Team: Green');
  await screen.findByText(`Last name: Hoffmann → Changed; Team: none → Green. ${reason}`);
});

test('the dialog stays open while it imports, and then shows the result', async () => {
  const onClose = vi.fn();
  const { user, choose } = await openImport([row], [], {}, { onClose });
  await choose(people());
  const button = await screen.findByRole('button', { name: 'Import one person' });
  const fetched = globalThis.fetch;
  const answer = Promise.withResolvers<void>();
  globalThis.fetch = async (...call) => answer.promise.then(() => fetched(...call));
  await user.click(button);
  await screen.findByText('Importing…');
  await user.keyboard('{Escape}');
  for (const button of ['Cancel', 'Close']) {
    const { disabled } = screen.getByRole<HTMLButtonElement>('button', { name: button });
    expect(disabled, button).toBe(true);
  }
  answer.resolve();
  await screen.findByText(/^Imported: 1 added/);
  expect(onClose).not.toHaveBeenCalled();
  await user.keyboard('{Escape}');
  expect(onClose).toHaveBeenCalledOnce();
});

test('warnings of the form for one person are grouped, with counts and names', async () => {
  const warnings = [
    { kind: 'cannotApprove', people: 242, names: ['Ada Stone', 'Bo Lind'] },
    { kind: 'noAccess', people: 1, names: ['Cleo Hill'] },
    { kind: 'withoutApprover', people: 12, names: ['Dan Ray'] },
    { kind: 'disabled', people: 1, names: ['Marcus Adeyemi'] },
  ];
  const { user, choose } = await openImport([row], [], { warnings });
  await choose(people());
  const tell = async (start: string) =>
    expect((await screen.findByText((words) => words.startsWith(start))).textContent).toBeTruthy();
  await tell('242 people get an approver without access to Approvals, who can’t approve: Ada Stone, Bo Lind.');
  await tell(
    '1 new person can open only My account, because they have no role, a role without access, or one that needs an admin’s OK: Cleo Hill.',
  );
  await tell(
    '12 new people use S.T.A.R.T without an approver and can’t open Tasks until they get one: Dan Ray and 11 more.',
  );
  await tell('1 account is disabled and stays disabled: Marcus Adeyemi. To enable an account, open the person');
  await user.click(screen.getByRole('button', { name: 'Import one person' }));
  await tell('242 people have an approver without access to Approvals, who can’t approve');
});
