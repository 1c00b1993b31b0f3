import { cleanup, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { showPage, viewerWith } from '../../../../test/show-page.tsx';
import { NewTaskDialog, TitleField, titlesOf, useNewTasks } from './new-task-dialog.tsx';
import type { Sprint } from './queries.ts';

const viewer = { ...viewerWith('VIEW_DASHBOARD', 'VIEW_TOP_5'), id: '7', role: 'Staff' };

const dialog = (
  <NewTaskDialog
    {...{ opened: true, viewer, forOthers: false, isSprintsError: false }}
    {...{ sprints: [], personId: viewer.id, sprintId: null, onClose: () => {}, onCreated: () => {} }}
  />
);
const week = (id: string, phase: string) => ({
  ...{ id, name: `2026 W${id}`, phase, current: phase === 'active', completionPercentage: null },
  ...{ startDate: '2026-11-23T09:00:00Z', endDate: '2026-11-30T09:00:00Z', settledAt: '2026-12-02T09:00:00Z' },
});
type Hands = Awaited<ReturnType<typeof showPage>>;
const titleField = () => screen.findByRole<HTMLTextAreaElement>('textbox', { name: /^Title/ });

test('a title that wasn’t sent is said to be one, and what is typed at once replaces it', async () => {
  const answers = { TaskLimit: () => ({ myWeek: { taskLimit: 5 } }) };
  const first = await showPage(dialog, { viewer, answers });
  await first.click(await titleField());
  await first.keyboard('Old idea');
  expect(screen.queryByText(/This draft wasn’t sent/)).toBeNull();
  cleanup();

  const hands = await showPage(dialog, { viewer, answers });
  const field = await titleField();
  await expect.poll(() => document.activeElement).toBe(field);
  expect(field.value).toBe('Old idea');
  await screen.findByText(/This draft wasn’t sent/);
  await hands.keyboard('Call');
  expect(field.value).toBe('Call');
  expect(screen.queryByText(/This draft wasn’t sent/)).toBeNull();
  cleanup();

  const again = await showPage(dialog, { viewer, answers });
  await again.click(await screen.findByRole('button', { name: 'Start over' }));
  expect((await titleField()).value).toBe('');
  expect(document.activeElement).toBe(await titleField());
  localStorage.clear();
});

test('a title typed over a draft’s begins another task without its summary, and the draft comes back', async () => {
  const answers = { TaskLimit: () => ({ myWeek: { taskLimit: 5 } }) };
  const summary = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: /^Summary/ });
  const first = await showPage(dialog, { viewer, answers });
  await first.click(await titleField());
  await first.keyboard('Old idea');
  await first.click(summary());
  await first.keyboard('Its summary');
  cleanup();

  const hands = await showPage(dialog, { viewer, answers });
  const field = await titleField();
  await expect.poll(() => document.activeElement).toBe(field);
  await hands.keyboard('Call');
  expect([field.value, summary().value]).toEqual(['Call', '']);
  await screen.findByText(/Another draft is kept: “Old idea”/);
  cleanup();

  // Also after the dialog was closed, and what was typed since isn't lost.
  const again = await showPage(dialog, { viewer, answers });
  await again.click(await screen.findByRole('button', { name: 'Bring it back' }));
  const back = await titleField();
  expect([back.value, summary().value]).toEqual(['Old idea', 'Its summary']);
  expect(document.activeElement).toBe(back);
  await again.keyboard('{End}{Backspace}s');
  expect([back.value, summary().value]).toEqual(['Old ides', 'Its summary']);
  await again.click(await screen.findByRole('button', { name: 'Bring it back' }));
  expect([back.value, summary().value]).toEqual(['Call', '']);
  await again.click(await screen.findByRole('button', { name: 'Discard it' }));
  expect(screen.queryByText(/Another draft/)).toBeNull();
  localStorage.clear();
});

test.each([
  ['pasted', (hands: Hands) => hands.paste('Prepare the audit')],
  ['typed where it was deleted', (hands: Hands) => hands.keyboard('{Backspace}Prepare the audit')],
])('a title %s over a draft’s begins another task, even if their first or last letters match', async (_how, enter) => {
  const answers = { TaskLimit: () => ({ myWeek: { taskLimit: 5 } }) };
  const summary = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: /^Summary/ });
  const first = await showPage(dialog, { viewer, answers });
  await first.click(await titleField());
  await first.paste('Plan the launch');
  await first.click(summary());
  await first.paste('Its summary');
  cleanup();

  const hands = await showPage(dialog, { viewer, answers });
  const field = await titleField();
  await expect.poll(() => document.activeElement).toBe(field);
  await enter(hands);
  expect([field.value, summary().value]).toEqual(['Prepare the audit', '']);
  await screen.findByText(/Another draft is kept: “Plan the launch”/);
  localStorage.clear();
});

test('a draft’s title that is edited keeps its summary', async () => {
  const answers = { TaskLimit: () => ({ myWeek: { taskLimit: 5 } }) };
  const summary = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: /^Summary/ });
  const first = await showPage(dialog, { viewer, answers });
  await first.click(await titleField());
  await first.paste('Plan the launch');
  await first.click(summary());
  await first.paste('Its summary');
  cleanup();

  const hands = await showPage(dialog, { viewer, answers });
  const field = await titleField();
  await expect.poll(() => document.activeElement).toBe(field);
  field.setSelectionRange(0, 'Plan'.length);
  await hands.paste('Move');
  expect([field.value, summary().value]).toEqual(['Move the launch', 'Its summary']);
  field.setSelectionRange('Move the '.length, field.value.length);
  await hands.keyboard('{Backspace}party');
  expect([field.value, summary().value]).toEqual(['Move the party', 'Its summary']);
  localStorage.clear();
});

test('a draft keeps its person and sprint, and a title typed over it is for the page’s', async () => {
  const lena = { id: '9', displayName: 'Lena', team: null, disabled: false, email: null };
  const answers = {
    TaskLimit: () => ({ myWeek: { taskLimit: 5 } }),
    BoardTasks: () => ({ tasks: [] }),
    People: () => ({ people: [lena] }),
  };
  const open = () =>
    showPage(
      <NewTaskDialog
        {...dialog.props}
        {...{ forOthers: true, sprints: [week('47', 'active'), week('48', 'future')], sprintId: '47' }}
      />,
      { viewer, answers },
    );
  const chosen = () =>
    ['For', 'Sprint'].map((name) => screen.getByRole<HTMLInputElement>('combobox', { name }).value.split(',')[0]);
  const first = await open();
  await first.type(await titleField(), 'Prepare');
  for (const [field, option] of [
    ['For', 'Lena'],
    ['Sprint', /^2026 W48/],
  ] as const) {
    await first.click(screen.getByRole('combobox', { name: field }));
    await first.click(await screen.findByRole('option', { name: option }));
  }
  cleanup();

  await open();
  await expect.poll(chosen).toEqual(['Lena', '2026 W48']);
  cleanup();

  // Without the field For, nothing would show whose task it is.
  await showPage(dialog, { viewer, answers });
  await screen.findByText('This draft wasn’t sent. It was for someone else.');
  cleanup();

  const over = await open();
  const title = await titleField();
  await expect.poll(() => document.activeElement).toBe(title);
  await over.keyboard('Call');
  await expect.poll(chosen).toEqual([`${viewer.name} (you)`, '2026 W47']);
  localStorage.clear();
});

/** As the step of the close-out that plans the next week. */
function Plan({ sprintId }: { readonly sprintId: string }) {
  const open = [week('47', 'active'), week('48', 'future')] as Sprint[];
  const { form, title } = useNewTasks(
    {
      ...{ viewer, sprints: open, personId: viewer.id, sprintId, stays: true, draftKey: 'next-week' },
      ...{ onClose: () => {}, onCreated: () => {} },
    },
    open,
  );
  return (
    <>
      <TitleField {...form.field('title')} ref={title} count={1} onPasteList={() => {}} />
      <output aria-label="Sprint">{form.values.sprintId}</output>
    </>
  );
}

test('a line that was typed for another week is planned for the week that the page names', async () => {
  const sprint = () => screen.findByRole('status', { name: 'Sprint' });
  const user = await showPage(<Plan sprintId="47" />, { viewer });
  await user.type(await titleField(), 'Call');
  expect((await sprint()).textContent).toBe('47');
  cleanup();
  await showPage(<Plan sprintId="48" />, { viewer });
  expect((await titleField()).value).toBe('Call');
  expect((await sprint()).textContent).toBe('48');
  localStorage.clear();
});

test('a title typed while the tasks before it are created stays, and no task is sent twice', async () => {
  const answers: (() => void)[] = [];
  const sent: string[] = [];
  const hands = await showPage(
    <NewTaskDialog
      {...{ opened: true, viewer, forOthers: false, isSprintsError: false, stays: true }}
      {...{ sprints: [], personId: viewer.id, sprintId: null, onClose: () => {}, onCreated: () => {} }}
    />,
    {
      viewer,
      answers: {
        TaskLimit: () => ({ myWeek: { taskLimit: 5 } }),
        CreateTask: async ({ title }: { title: string }) => {
          sent.push(title);
          await new Promise<void>((answer) => answers.push(answer));
          return { createTask: { id: title, title, sprintId: '1', userId: viewer.id, version: 1, history: [] } };
        },
      },
    },
  );
  const field = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: /^Title/ });
  await hands.click(field);
  await hands.paste('One\nTwo');
  await hands.keyboard('{Control>}{Enter}{/Control}');
  await expect.poll(() => sent).toEqual(['One']);
  await hands.keyboard('{Shift>}{Enter}{/Shift}Three');
  answers[0]!();
  await expect.poll(() => sent).toEqual(['One', 'Two']);
  expect(field.value).toBe('Two\nThree');
  answers[1]!();
  await expect.poll(() => field.value).toBe('Three');
  localStorage.clear();
});

test('a pasted list loses the marks that Markdown, Notion and mails put before a line', () => {
  expect(titlesOf('- [ ] Third\n* [x] Fourth\n– en dash\n[ ] Boxed\n2) Second\n-5% costs')).toEqual([
    ...['Third', 'Fourth', 'en dash', 'Boxed', 'Second', '-5% costs'],
  ]);
});
