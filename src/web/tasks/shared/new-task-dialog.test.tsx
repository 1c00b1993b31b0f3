import { cleanup, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { ConfirmIdentity } from '#web/shell/identity/confirm-identity.tsx';
import { reportConnection } from '#web/ui/connection.ts';
import { message, refuse, showPage, viewerWith } from '../../../../test/show-page.tsx';
import { NewTaskDialog, TitleField } from './new-task-dialog.tsx';
import { titlesOf, useNewTasks } from './new-tasks.ts';
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
  expect(screen.queryByText(/Unsent draft restored/)).toBeNull();
  cleanup();

  const hands = await showPage(dialog, { viewer, answers });
  const field = await titleField();
  await expect.poll(() => document.activeElement).toBe(field);
  expect(field.value).toBe('Old idea');
  await screen.findByText(/Unsent draft restored/);
  await hands.keyboard('Call');
  expect(field.value).toBe('Call');
  expect(screen.queryByText(/Unsent draft restored/)).toBeNull();
  cleanup();

  const again = await showPage(dialog, { viewer, answers });
  await again.click(await screen.findByRole('button', { name: 'Start over' }));
  expect((await titleField()).value).toBe('');
  expect(document.activeElement).toBe(await titleField());
  await again.click(screen.getByRole('button', { name: 'Restore draft' }));
  expect((await titleField()).value).toBe('Old idea');
  localStorage.clear();
});

test('every draft that is typed over is kept, also a list of titles, and each comes back in turn', async () => {
  const answers = { TaskLimit: () => ({ myWeek: { taskLimit: 5 } }) };
  const first = await showPage(dialog, { viewer, answers });
  await first.click(await titleField());
  await first.paste('One\nTwo');
  cleanup();
  for (const title of ['Call', 'Order']) {
    const hands = await showPage(dialog, { viewer, answers });
    const field = await titleField();
    await expect.poll(() => document.activeElement).toBe(field);
    await hands.keyboard(title);
    cleanup();
  }
  const hands = await showPage(dialog, { viewer, answers });
  const found: string[] = [];
  for (let turn = 0; turn < 3; turn += 1) {
    await hands.click(await screen.findByRole('button', { name: 'Restore draft' }));
    found.push((await titleField()).value);
  }
  expect(found).toEqual(['Call', 'One\nTwo', 'Order']);
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
  await screen.findByText(/You have another draft: “Old idea”/);
  cleanup();

  // Also after the dialog was closed, and what was typed since isn't lost.
  const again = await showPage(dialog, { viewer, answers });
  await again.click(await screen.findByRole('button', { name: 'Restore draft' }));
  const back = await titleField();
  expect([back.value, summary().value]).toEqual(['Old idea', 'Its summary']);
  expect(document.activeElement).toBe(back);
  await again.keyboard('{End}{Backspace}s');
  expect([back.value, summary().value]).toEqual(['Old ides', 'Its summary']);
  await again.click(await screen.findByRole('button', { name: 'Restore draft' }));
  expect([back.value, summary().value]).toEqual(['Call', '']);
  await again.click(await screen.findByRole('button', { name: 'Discard draft' }));
  expect(screen.queryByText(/another draft/)).toBeNull();
  localStorage.clear();
});

const draftAt = (key: string) => `of-person:7:draft:${key}`;
const draftOf = (title: string, userId = viewer.id) => ({ title, summary: '', category: '', sprintId: '', userId });
const keptTitles = () =>
  (JSON.parse(localStorage.getItem(draftAt('new-task:kept')) ?? '[]') as { title: string }[]).map(({ title }) => title);

/** Opens the form with the draft “Old idea”, and types over it. */
async function typeOver(text: string, answers: object = {}) {
  localStorage.setItem(draftAt('new-task'), JSON.stringify(draftOf('Old idea')));
  const limit = { TaskLimit: () => ({ myWeek: { taskLimit: 5 } }) };
  const hands = await showPage(dialog, { viewer, answers: { ...limit, ...answers } });
  const field = await titleField();
  await expect.poll(() => document.activeElement).toBe(field);
  if (text) await hands.keyboard(text);
  return hands;
}

test('an older version’s draft joins the list, which has another key because that version reads no list', async () => {
  localStorage.setItem(draftAt('new-task:aside'), JSON.stringify(draftOf('Older')));
  await typeOver('Call');
  await screen.findByText(/You have another draft: “Old idea”/);
  expect(keptTitles()).toEqual(['Older', 'Old idea']);
  expect(localStorage.getItem(draftAt('new-task:aside'))).toBeNull();
  localStorage.clear();
});

test('a draft that another tab keeps stays when this one keeps, restores or discards its own', async () => {
  const keepElsewhere = (title: string) => {
    const kept = JSON.parse(localStorage.getItem(draftAt('new-task:kept')) ?? '[]');
    localStorage.setItem(draftAt('new-task:kept'), JSON.stringify([draftOf(title), ...kept]));
  };
  const hands = await typeOver('Call');
  keepElsewhere('Elsewhere');
  await hands.click(screen.getByRole('button', { name: 'Discard draft' }));
  expect(keptTitles()).toEqual(['Elsewhere']);
  await screen.findByText(/You have another draft: “Elsewhere”/);
  keepElsewhere('Second');
  await hands.click(screen.getByRole('button', { name: 'Restore draft' }));
  expect(keptTitles()).toEqual(['Call', 'Second']);
  cleanup();
  const again = await typeOver('');
  keepElsewhere('Third');
  await again.keyboard('C');
  expect(keptTitles()).toEqual(['Third', 'Call', 'Second', 'Old idea']);
  localStorage.clear();
});

test('the same title typed again and sent leaves no draft of it', async () => {
  const task = { id: '12', title: 'Old idea', sprintId: '1', userId: viewer.id, version: 1, history: [] };
  localStorage.setItem(draftAt('new-task:kept'), JSON.stringify([draftOf('Other'), draftOf('Old idea', '9')]));
  await typeOver('Old idea', { CreateTask: () => ({ createTask: task }) }).then((hands) => hands.keyboard('{Enter}'));
  await message('“Old idea” sent for approval');
  // The second one is for someone else.
  expect(keptTitles()).toEqual(['Other', 'Old idea']);
  localStorage.clear();
});

test('the latest ten drafts are kept', async () => {
  const many = Array.from({ length: 10 }, (_, index) => draftOf(`Draft ${index}`));
  localStorage.setItem(draftAt('new-task:kept'), JSON.stringify(many));
  await typeOver('Call');
  expect(keptTitles()).toEqual([...many.slice(1).map(({ title }) => title), 'Old idea']);
  localStorage.clear();
});

test('a kept draft that is restored names its person', async () => {
  localStorage.setItem(draftAt('new-task:kept'), JSON.stringify([draftOf('Prepare', '9')]));
  const People = () => ({ people: [{ id: '9', displayName: 'Lena', team: null, disabled: false, email: null }] });
  const BoardTasks = () => ({ tasks: [] });
  const hands = await typeOver('', { People, BoardTasks });
  await hands.click(screen.getByRole('button', { name: 'Restore draft' }));
  await screen.findByText('Unsent draft restored. It was for Lena.');
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
  await screen.findByText(/You have another draft: “Plan the launch”/);
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

  // Without the field For, only this shows whose task it was.
  await showPage(dialog, { viewer, answers });
  await screen.findByText('Unsent draft restored. It was for Lena.');
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

test('a list is sent as a whole: it can’t be closed or sent again between two titles', async () => {
  const closed: string[] = [];
  const sent: string[] = [];
  const hands = await showPage(<NewTaskDialog {...dialog.props} onClose={() => closed.push(sent.join())} />, {
    viewer,
    answers: {
      TaskLimit: () => ({ myWeek: { taskLimit: 5 } }),
      CreateTask: async ({ title }: { title: string }) => {
        sent.push(title);
        return { createTask: { id: title, title, sprintId: '1', userId: viewer.id, version: 1, history: [] } };
      },
    },
  });
  await hands.click(await titleField());
  await hands.paste('One\nTwo\nThree');
  const close = () => screen.queryAllByRole('button', { name: /^(Close|Discard)$/ });
  expect(close().length).toBeGreaterThan(0);
  // Whenever something changes on the screen, as quick hands could.
  const presses = new MutationObserver(() => {
    if (sent.length > 0 && closed.length === 0) for (const button of close()) button.click();
  });
  presses.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
  await hands.keyboard('{Control>}{Enter}{/Control}');
  await message('3 tasks sent for approval');
  presses.disconnect();
  expect([sent, closed[0]]).toEqual([['One', 'Two', 'Three'], 'One,Two,Three']);
  localStorage.clear();
});

test('if one of a list is refused, those before it are said to be sent, and the others stay', async () => {
  const sent: string[] = [];
  const hands = await showPage(dialog, {
    viewer,
    answers: {
      TaskLimit: () => ({ myWeek: { taskLimit: 5 } }),
      CreateTask: ({ title }: { title: string }) => {
        sent.push(title);
        if (sent.length === 3) return refuse('SPRINT_DOES_NOT_ALLOW', 'The sprint is closed');
        return { createTask: { id: title, title, sprintId: '1', userId: viewer.id, version: 1, history: [] } };
      },
    },
  });
  const field = await titleField();
  await hands.click(field);
  await hands.paste('One\nTwo\nThree\nFour');
  await hands.keyboard('{Control>}{Enter}{/Control}');
  await message('2 tasks sent for approval');
  await screen.findByText('The sprint is closed');
  expect(field.value).toBe('Three\nFour');
  await hands.keyboard('{Control>}{Enter}{/Control}');
  await message('2 tasks sent for approval');
  expect(sent).toEqual(['One', 'Two', 'Three', 'Three', 'Four']);
  localStorage.clear();
});

test('a list that needs a proof in its middle goes on once the person confirmed who they are', async () => {
  const sent: string[] = [];
  let isProven = false;
  const page = (
    <>
      {dialog}
      <ConfirmIdentity email={viewer.email} />
    </>
  );
  const hands = await showPage(page, {
    viewer,
    answers: {
      TaskLimit: () => ({ myWeek: { taskLimit: 5 } }),
      MySecondFactors: () => refuse('INTERNAL', 'No'),
      HasPassword: () => ({ myAccount: { password: { set: true } } }),
      '/api/auth/confirm': () => {
        isProven = true;
      },
      CreateTask: ({ title }: { title: string }) => {
        if (sent.length === 1 && !isProven) return refuse('CONFIRM_IDENTITY', 'Confirm it’s you to continue');
        sent.push(title);
        return { createTask: { id: title, title, sprintId: '1', userId: viewer.id, version: 1, history: [] } };
      },
    },
  });
  await hands.click(await titleField());
  await hands.paste('One\nTwo\nThree');
  await hands.keyboard('{Control>}{Enter}{/Control}');
  await screen.findByText(/^You’ve created many tasks within an hour\./);
  await hands.type(await screen.findByLabelText('Password'), 'secret');
  await hands.click(screen.getByRole('button', { name: 'Confirm' }));
  await message('3 tasks sent for approval');
  expect(sent).toEqual(['One', 'Two', 'Three']);
  localStorage.clear();
});

/** The form after a task was sent from it whose answer was lost. What the server says of it later: `created`. */
async function afterLostAnswer({ text = 'Call Lena', summary = '', created = {}, onClose = () => {} }) {
  const task = { id: '12', title: 'Call Lena', sprintId: '1', userId: viewer.id, version: 1, history: [] };
  const shown = { ...dialog.props, onClose };
  const sent: string[] = [];
  const page = {
    viewer,
    answers: {
      TaskLimit: () => ({ myWeek: { taskLimit: 5 } }),
      CreateTask: ({ title }: { title: string }) => {
        sent.push(title);
        return Promise.reject(new TypeError('Failed to fetch'));
      },
      CallResult: () => ({ callResult: task.id }),
      Task: () => ({ tasks: [{ ...task, ...created }] }),
    },
  };
  const hands = await showPage(<NewTaskDialog {...shown} />, page);
  await hands.click(await titleField());
  await hands.paste(text);
  await hands.click(screen.getByRole('textbox', { name: /^Summary/ }));
  await hands.paste(summary);
  await hands.keyboard('{Control>}{Enter}{/Control}');
  await screen.findByText('Can’t reach the server');
  const reload = async () => {
    cleanup();
    reportConnection('back');
    await showPage(<NewTaskDialog {...shown} />, page);
  };
  return { hands, reload, sent };
}

test('a draft whose task was withdrawn after its answer got lost stays a draft', async () => {
  const { reload } = await afterLostAnswer({ created: { withdrawn: true } });
  await reload();
  await screen.findByText(/Unsent draft restored/);
  await expect.poll(() => Object.keys(localStorage).filter((key) => key.includes(':sending:'))).toEqual([]);
  expect((await titleField()).value).toBe('Call Lena');
  expect(screen.queryByText(/sent for approval/)).toBeNull();
  localStorage.clear();
});

test('a task whose answer got lost is said to be sent when the form opens again, which is empty then', async () => {
  const { reload } = await afterLostAnswer({});
  await reload();
  await message('“Call Lena” sent for approval');
  expect((await titleField()).value).toBe('');
  localStorage.clear();
});

test.each([
  ['INAPPROVAL', 1],
  ['TODO', 0],
])('a task that is found later, which is %s by then, offers Undo %d times', async (status, times) => {
  const { reload } = await afterLostAnswer({ created: { status } });
  await reload();
  await message('“Call Lena” sent for approval');
  expect(screen.queryAllByRole('button', { name: 'Undo' })).toHaveLength(times);
  localStorage.clear();
});

test('a form that waits for the answer closes when the connection is back and the task was created', async () => {
  const closed: string[] = [];
  await afterLostAnswer({ onClose: () => closed.push('closed') });
  reportConnection('back');
  await message('“Call Lena” sent for approval');
  expect(closed).toEqual(['closed']);
  localStorage.clear();
});

test('what was typed since is kept, and so are the other titles of a list', async () => {
  const { hands } = await afterLostAnswer({});
  await hands.type(await titleField(), '!');
  reportConnection('back');
  await message('“Call Lena” sent for approval');
  expect((await titleField()).value).toBe('Call Lena!');
  await hands.keyboard('{Control>}{Enter}{/Control}');
  await screen.findByText('“Call Lena” was already sent. Send again to add this too');
  cleanup();
  localStorage.clear();
  await afterLostAnswer({ text: 'Call Lena\nCall Tomás' });
  reportConnection('back');
  await expect
    .poll(async () => (await screen.findByRole<HTMLTextAreaElement>('textbox', { name: /^Title/ })).value)
    .toBe('Call Tomás');
  localStorage.clear();
});

test.each(['Call Lena', 'Order lamps'])(
  '“%s” is a new task once the field was emptied, although a corrected one was held back until then',
  async (text) => {
    const { hands, sent } = await afterLostAnswer({});
    await hands.type(await titleField(), '!');
    reportConnection('back');
    await message('“Call Lena” sent for approval');
    await hands.clear(await titleField());
    await hands.type(await titleField(), `${text}{Enter}`);
    await expect.poll(() => sent).toEqual(['Call Lena', text]);
    localStorage.clear();
  },
);

test('a draft that is brought back is another task, not a correction of what was found to be sent', async () => {
  const aside = { title: 'Order lamps', summary: 'Twelve', category: 'Lightstones', sprintId: '', userId: viewer.id };
  localStorage.setItem('of-person:7:draft:new-task:aside', JSON.stringify(aside));
  const { hands, sent } = await afterLostAnswer({});
  await hands.type(await titleField(), '!');
  reportConnection('back');
  await message('“Call Lena” sent for approval');
  await hands.click(screen.getByRole('button', { name: 'Restore draft' }));
  await hands.keyboard('{Enter}');
  await expect.poll(() => sent).toEqual(['Call Lena', 'Order lamps']);
  localStorage.clear();
});

test('a draft that was typed over before it was found to be sent isn’t offered again', async () => {
  const { reload, hands } = await afterLostAnswer({ created: { summary: 'By phone' }, summary: 'By phone' });
  await hands.clear(await titleField());
  await hands.type(await titleField(), 'Other');
  const typedOver = { title: 'Call Lena', summary: 'By phone', category: '', sprintId: '', userId: viewer.id };
  localStorage.setItem('of-person:7:draft:new-task:aside', JSON.stringify(typedOver));
  await reload();
  await screen.findByText(/You have another draft: “Call Lena”/);
  await message('“Call Lena” sent for approval');
  await expect.poll(() => screen.queryByText(/You have another draft/)).toBeNull();
  expect((await titleField()).value).toBe('Other');
  localStorage.clear();
});

test('a draft that another tab sends disappears, but nothing that was typed here', async () => {
  const hands = await showPage(dialog, { viewer, answers: { TaskLimit: () => ({ myWeek: { taskLimit: 5 } }) } });
  const field = await titleField();
  const sendElsewhere = (title: string) => {
    const newValue = JSON.stringify({ key: '1', sent: { title, summary: '' }, isDone: true });
    window.dispatchEvent(new StorageEvent('storage', { key: 'of-person:7:sending:new-task', newValue }));
  };
  await hands.type(field, 'Call Lena');
  sendElsewhere('Call Tomás');
  expect(field.value).toBe('Call Lena');
  sendElsewhere('Call Lena');
  await message('“Call Lena” was sent in another tab');
  expect(field.value).toBe('');
  localStorage.clear();
});

test('a pasted list loses the marks that Markdown, Notion and mails put before a line', () => {
  expect(titlesOf('- [ ] Third\n* [x] Fourth\n– en dash\n[ ] Boxed\n2) Second\n-5% costs')).toEqual([
    ...['Third', 'Fourth', 'en dash', 'Boxed', 'Second', '-5% costs'],
  ]);
  expect(titlesOf('First\n\u200b\n- \u2060\nSecond')).toEqual(['First', 'Second']);
});
