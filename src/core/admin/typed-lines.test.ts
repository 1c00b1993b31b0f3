import { expect, it } from 'vitest';
import { passkeyName } from '../access/factor-inputs.ts';
import { createRoleInput } from '../access/role-changes.ts';
import { type InputSchema, readInput } from '../base/inputs.ts';
import { serviceTokenInput } from '../numbers/imports.ts';
import { createUserInput, updateUserInput } from '../people/accounts.ts';
import { addRequirementInput } from '../people/qualifications.ts';
import { addNoteInput, createTaskInput, updateTaskInput } from '../tasks/task-inputs.ts';
import { publishGuidelinesInput } from '../toolbox/guidelines.ts';
import { meetingInput } from '../toolbox/meetings.ts';
import { createToolCardInput, toolHealthInput, updateToolCardInput } from './tool-cards.ts';

const forged = 'Pay\r\n\tBcc\u2028\u202eall\u2066';
const meeting = {
  title: 'x',
  team: '',
  chairId: '1',
  attendeeIds: [],
  weekday: 1,
  time: '09:00',
  minutes: 30,
  place: '',
  link: '',
  agenda: '',
};
const tool = { title: 'x', group: 'x', link: 'https://a.test' };
const lines: readonly (readonly [InputSchema, Record<string, unknown>, readonly string[]])[] = [
  [createTaskInput, { userId: '1' }, ['title']],
  [updateTaskInput, { id: '1' }, ['title']],
  [meetingInput, meeting, ['title', 'place']],
  [createToolCardInput, tool, ['title', 'group', 'description']],
  [updateToolCardInput, { id: '1' }, ['title', 'group', 'description']],
  [toolHealthInput, { id: '1', health: 'down' }, ['note']],
  [addRequirementInput, { role: 'x', kind: 'training' }, ['title']],
  [publishGuidelinesInput, { text: 'x', basedOn: 0 }, ['note']],
  [serviceTokenInput, { datasets: ['orders'] }, ['name']],
  [createRoleInput, { permissions: [] }, ['name']],
  [createUserInput, { email: 'a@example.test' }, ['firstName', 'lastName']],
  [updateUserInput, { userId: '1', version: 'a'.repeat(32) }, ['firstName', 'lastName']],
];

it.each(lines.flatMap(([schema, rest, fields]) => fields.map((field) => [field, schema, rest] as const)))(
  'what is typed as %s is stored as one line',
  (field, schema, rest) => {
    expect(readInput(schema, { ...rest, [field]: forged })).toMatchObject({ [field]: 'Pay Bcc all' });
  },
);

it('the name of a passkey is one line', () => {
  expect(passkeyName.parse(forged)).toBe('Pay Bcc all');
});

it('a text of many lines keeps them', () => {
  expect(readInput(addNoteInput, { taskId: '1', text: 'a\n\tb' })).toMatchObject({ text: 'a\n\tb' });
  expect(readInput(meetingInput, { ...meeting, agenda: 'a\n\tb' })).toMatchObject({ agenda: 'a\n\tb' });
});
