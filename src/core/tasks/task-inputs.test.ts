import { describe, expect, it } from 'vitest';
import type * as z from 'zod/mini';
import { categories } from '../access/brands.ts';
import { loginInput } from '../access/sign-in-inputs.ts';
import { pageInput, readInput } from '../base/inputs.ts';
import { limits } from '../base/limits.ts';
import { isRefusal } from '../base/refusals.ts';
import { withoutEmpty } from '../base/without-empty.ts';
import { sprintStatsInput } from './stats-inputs.ts';
import * as taskInputs from './task-inputs.ts';

type Schema = z.ZodMiniType;
const id = '12';
const decision = { taskId: id, decision: 'approve' };

/** For every input: all it accepts, and which of that is required. */
const samples: Record<string, { full: Record<string, unknown>; needs: string[] }> = {
  loginInput: {
    full: { email: 'a@demo.test', password: 'secret', device: 'd'.repeat(43) },
    needs: ['email', 'password'],
  },
  createTaskInput: {
    full: { title: 'Title', userId: id, summary: '', category: 'Green', sprintId: id },
    needs: ['title', 'userId'],
  },
  workInput: { full: { title: 'Title', summary: '', category: 'Green' }, needs: [] },
  updateTaskInput: {
    full: { id, title: 'Title', change: '', status: 'TODO', summary: '', category: 'Dig', version: 1 },
    needs: ['id'],
  },
  addNoteInput: { full: { taskId: id, text: 'Note' }, needs: ['taskId', 'text'] },
  editNoteInput: { full: { taskId: id, noteId: id, text: 'Note' }, needs: ['taskId', 'noteId', 'text'] },
  removeNoteInput: { full: { taskId: id, noteIndex: 0, version: 1 }, needs: ['taskId', 'noteIndex'] },
  restoreNoteInput: { full: { taskId: id, noteId: id }, needs: ['taskId', 'noteId'] },
  removeAttachmentInput: { full: { taskId: id, attachmentIndex: 0, version: 1 }, needs: ['taskId', 'attachmentIndex'] },
  restoreAttachmentInput: { full: { taskId: id, attachmentId: id }, needs: ['taskId', 'attachmentId'] },
  dropTaskInput: { full: { taskId: id, reason: 'Too late' }, needs: ['taskId'] },
  moveToSprintInput: { full: { taskId: id, sprintId: id, version: 1 }, needs: ['taskId', 'sprintId'] },
  orderTasksInput: { full: { sprintId: id, taskIds: [id] }, needs: ['sprintId', 'taskIds'] },
  repeatTaskInput: { full: { taskId: id, repeats: 'weekly' }, needs: ['taskId'] },
  closeWeekInput: { full: { sprintId: id, learned: '', version: 0 }, needs: ['sprintId', 'learned'] },
  taskIdInput: { full: { taskId: id }, needs: ['taskId'] },
  stepInput: { full: { taskIds: [id] }, needs: ['taskIds'] },
  decideTasksInput: { full: { decisions: [{ ...decision, version: 1, change: '' }] }, needs: ['decisions'] },
  getTasksInput: {
    full: { taskId: id, userId: id, sprintId: id, status: ['TODO'], find: 'report', limit: 1, offset: 0 },
    needs: [],
  },
  inboxInput: { full: { taskId: id, limit: 1, offset: 0 }, needs: [] },
  inboxPageInput: {
    full: { status: 'INREVIEW', due: true, byPerson: true, find: 'report', limit: 1, after: '1_0_0_2_3' },
    needs: ['status'],
  },
  getSprintsInput: { full: { all: true, categoryFilters: ['connect', 'Green'] }, needs: [] },
  pageInput: { full: { limit: 200, offset: 0 }, needs: [] },
  sprintResultInput: { full: { sprintId: id, userId: id }, needs: ['sprintId'] },
  sprintStatsInput: { full: { sprintId: id, scope: 'connect' }, needs: [] },
  sprintIdInput: { full: { sprintId: id }, needs: [] },
};

const schemas = { ...taskInputs, loginInput, pageInput, sprintStatsInput } as unknown as Record<string, Schema>;
const read = (name: string, values: object) => readInput(schemas[name] as Schema, values);
const every = Object.entries(samples).map(([name, sample]) => ({ name, ...sample }));
const everyField = every.flatMap(({ name, full }) => Object.keys(full).map((field) => ({ name, full, field })));

describe('every input of the specification (spec 5)', () => {
  it.each(every)('$name refuses a field it does not know', ({ name, full }) => {
    for (const field of ['extra', 'ownerId', 'Title', 'constructor', 'toString']) {
      expect(read(name, { ...full, [field]: 'x' })).toMatchObject({ kind: 'refusal', code: 'BAD_INPUT', field });
    }
  });

  it.each(every)('$name takes nothing from __proto__', ({ name, full }) => {
    const hostile = JSON.parse(
      `${JSON.stringify(full).slice(0, -1)}${Object.keys(full).length ? ',' : ''}"__proto__":{"admin":true}}`,
    );
    const answer = read(name, hostile) as Record<string, unknown>;
    if (isRefusal(answer)) return;
    expect(Object.keys(answer)).not.toContain('__proto__');
    expect(answer.admin).toBeUndefined();
    expect(({} as Record<string, unknown>).admin).toBeUndefined();
  });

  it.each(everyField)(
    '$name refuses an array, an object, a function and a symbol as $field',
    ({ name, full, field }) => {
      const wrong: unknown[] = [{ toString: () => 'x' }, () => 'x', Symbol('x'), Number.NaN, new Date(0)];
      if (!Array.isArray(full[field])) wrong.push([], [full[field]], [[full[field]]]);
      else wrong.push([[]], [null], [{}], 'TODO', { 0: 'TODO', length: 1 });
      for (const value of wrong)
        expect(read(name, { ...full, [field]: value }), String(value)).toMatchObject({ code: 'BAD_INPUT' });
    },
  );

  it.each(every)('$name refuses to do without what it needs', ({ name, full, needs }) => {
    for (const field of Object.keys(full)) {
      for (const empty of [null, undefined]) {
        const answer = read(name, { ...full, [field]: empty });
        if (needs.includes(field)) expect(answer).toMatchObject({ kind: 'refusal', code: 'BAD_INPUT', field });
        else expect(isRefusal(answer)).toBe(false);
      }
    }
  });

  it.each(every)('$name takes what it is made for, and gives it back', ({ name, full, needs }) => {
    expect(read(name, full)).toEqual(full);
    const least = Object.fromEntries(needs.map((field) => [field, full[field]]));
    expect(read(name, least)).toEqual(least);
  });

  it('has a sample here', () => {
    expect(Object.keys(samples).sort()).toEqual(Object.keys(schemas).sort());
  });
});

describe('ids', () => {
  it.each([
    '',
    '0',
    '-1',
    '01',
    '1.0',
    '1e3',
    ' 1',
    '1 ',
    '1\n',
    '0x1',
    '\u0661',
    '1\0',
    '9'.repeat(19),
    'null',
    '__proto__',
    "1' OR '1'='1",
  ])('%j is none', (text) => {
    expect(read('taskIdInput', { taskId: text })).toMatchObject({ code: 'BAD_INPUT', field: 'taskId' });
  });
  it.each([1, 1n, true])('%s is given as text', (value) => {
    expect(read('taskIdInput', { taskId: value })).toMatchObject({ code: 'BAD_INPUT', field: 'taskId' });
  });
  it('reach as far as the database counts', () => {
    expect(read('taskIdInput', { taskId: '9'.repeat(18) })).toEqual({ taskId: '9'.repeat(18) });
  });
});

describe('texts', () => {
  const texts: [string, string, number][] = [
    ['createTaskInput', 'title', limits.title],
    ['createTaskInput', 'summary', limits.summary],
    ['updateTaskInput', 'title', limits.title],
    ['updateTaskInput', 'summary', limits.summary],
    ['updateTaskInput', 'change', limits.change],
    ['addNoteInput', 'text', limits.note],
    ['editNoteInput', 'text', limits.note],
    ['loginInput', 'email', limits.email],
    ['loginInput', 'password', limits.password],
  ];
  it.each(texts)('%s: %s is refused beyond its limit of %i', (name, field, longest) => {
    const full = samples[name]?.full;
    expect(read(name, { ...full, [field]: 'x'.repeat(longest + 1) })).toMatchObject({ code: 'BAD_INPUT', field });
    expect(isRefusal(read(name, { ...full, [field]: 'x'.repeat(longest) }))).toBe(false);
  });
  it.each(texts)('%s: %s is refused with NUL or half of a surrogate pair', (name, field) => {
    for (const bad of ['a\0b', '\0', '\ud800', 'a\udc00b', '\udc00\ud800']) {
      expect(read(name, { ...samples[name]?.full, [field]: bad })).toMatchObject({ code: 'BAD_INPUT', field });
    }
  });
  it.each(texts)('%s: %s takes any other letter', (name, field) => {
    const value = 'caf\u00e9 \u65e5\u672c \ud83c\udf89 <b>&amp;</b> {{x}}';
    expect(read(name, { ...samples[name]?.full, [field]: value })).toMatchObject({ [field]: value });
  });
  it.each([
    ['createTaskInput', 'title'],
    ['updateTaskInput', 'title'],
    ['addNoteInput', 'text'],
    ['editNoteInput', 'text'],
    ['loginInput', 'email'],
  ])('%s: a blank %s is refused', (name, field) => {
    for (const blank of ['', ' ', '\n\t', '\u00a0\u2003']) {
      expect(read(name, { ...samples[name]?.full, [field]: blank })).toMatchObject({
        code: 'BAD_INPUT',
        field,
        message: `${field} must not be blank`,
      });
    }
  });
  it('around a title are left out, and around a password kept', () => {
    expect(read('createTaskInput', { title: '  Title ', userId: id })).toMatchObject({ title: 'Title' });
    expect(read('loginInput', { email: ' a@demo.test ', password: ' x ' })).toEqual({
      email: 'a@demo.test',
      password: ' x ',
    });
  });
});

describe('categories (spec 1, D17)', () => {
  it.each(['all brands', 'GREEN', 'Green ', 'Arcade', 'connect', ' ', '__proto__', 'constructor', '0', '\0'])(
    '%j is none',
    (category) => {
      expect(read('createTaskInput', { title: 'x', userId: id, category })).toMatchObject({
        code: 'BAD_INPUT',
        field: 'category',
      });
    },
  );
  it.each(categories)('%s is one', (category) => {
    expect(read('updateTaskInput', { id, category })).toEqual({ id, category });
  });
  it('an empty one means All Brands', () => {
    expect(read('createTaskInput', { title: 'x', userId: id, category: '' })).toMatchObject({ category: 'All Brands' });
  });
});

describe('numbers', () => {
  it.each([-1, 0.5, Number.POSITIVE_INFINITY, 2 ** 53, '0', true])(
    'noteIndex and attachmentIndex refuse %s: an integer (spec 5)',
    (index) => {
      expect(read('removeNoteInput', { taskId: id, noteIndex: index })).toMatchObject({ field: 'noteIndex' });
      expect(read('removeAttachmentInput', { taskId: id, attachmentIndex: index })).toMatchObject({
        field: 'attachmentIndex',
      });
    },
  );
  it.each([0, -1, 1.5, '1'])('version refuses %s', (version) => {
    expect(read('updateTaskInput', { id, title: 'x', version })).toMatchObject({ code: 'BAD_INPUT', field: 'version' });
  });
  it.each([0, -1, limits.page + 1])('limit refuses %s', (limit) => {
    expect(read('getTasksInput', { limit })).toMatchObject({ code: 'BAD_INPUT', field: 'limit' });
    expect(read('getTasksInput', { limit: limits.page })).toEqual({ limit: 200 });
  });
});

describe('lists', () => {
  it('of decisions are refused empty and beyond 200', () => {
    expect(read('decideTasksInput', { decisions: [] })).toMatchObject({ code: 'BAD_INPUT', field: 'decisions' });
    expect(read('decideTasksInput', { decisions: Array(201).fill(decision) })).toMatchObject({
      code: 'BAD_INPUT',
      field: 'decisions',
    });
    expect(read('decideTasksInput', { decisions: Array(200).fill(decision) })).toMatchObject({
      decisions: { length: 200 },
    });
  });
  it('of tasks of a step are refused empty and beyond 200', () => {
    for (const count of [0, 201])
      expect(read('stepInput', { taskIds: Array(count).fill(id) })).toMatchObject({
        code: 'BAD_INPUT',
        field: 'taskIds',
      });
    expect(read('stepInput', { taskIds: Array(200).fill(id) })).toMatchObject({ taskIds: { length: 200 } });
  });
  it('of decisions name the item and the field at fault', () => {
    expect(read('decideTasksInput', { decisions: [decision, { ...decision, taskId: 'x' }] })).toMatchObject({
      field: 'decisions.1.taskId',
    });
    expect(read('decideTasksInput', { decisions: [{ ...decision, decision: 'DENY' }] })).toMatchObject({
      field: 'decisions.0.decision',
    });
    expect(read('decideTasksInput', { decisions: [{ ...decision, status: 'DONE' }] })).toMatchObject({
      field: 'decisions.0.status',
    });
  });
  it('of decisions leave out empty values of each', () => {
    expect(read('decideTasksInput', { decisions: [{ ...decision, version: null, change: undefined }] })).toEqual({
      decisions: [decision],
    });
  });
  it('of filters are refused beyond 50', () => {
    expect(read('getSprintsInput', { categoryFilters: Array(51).fill('connect') })).toMatchObject({
      field: 'categoryFilters',
    });
  });
  it.each(['todo', 'To Do', '__proto__', ''])('of statuses refuse %j', (status) => {
    expect(read('getTasksInput', { status: ['TODO', status] })).toMatchObject({ code: 'BAD_INPUT', field: 'status.1' });
  });
});

describe('a refusal of input', () => {
  it('says what was wanted', () => {
    expect(read('updateTaskInput', { id, extra: 1 })).toMatchObject({ message: 'extra isn’t a known field' });
    expect(read('updateTaskInput', { id: 7 })).toMatchObject({ message: 'id must be a string' });
    expect(read('updateTaskInput', { id, status: 'X' })).toMatchObject({
      message: 'status must be one of INAPPROVAL, DENIED, TODO, INPROGRESS, INREVIEW, DONE',
    });
    expect(read('updateTaskInput', { id, title: '' })).toMatchObject({ message: 'title must not be blank' });
  });
  it('never repeats what was sent', () => {
    const answer = read('loginInput', { email: 'a@demo.test', password: 'secret'.repeat(200) });
    expect(JSON.stringify(answer)).not.toContain('secret');
  });
});

describe('empty values (spec 5, D36)', () => {
  it('null and undefined are left out, empty strings, 0 and false are kept', () => {
    expect(withoutEmpty({ a: null, b: undefined, c: '', d: 0, e: false })).toEqual({ c: '', d: 0, e: false });
  });
  it('touch neither the values given nor a prototype', () => {
    const values = Object.freeze({ a: null, b: 1 });
    expect(withoutEmpty(values)).toEqual({ b: 1 });
    const hostile = withoutEmpty(JSON.parse('{"__proto__":{"x":1},"a":null}'));
    expect((hostile as { x?: number }).x).toBeUndefined();
  });
});
