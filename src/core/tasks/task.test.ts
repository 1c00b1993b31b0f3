import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Viewer } from '../access/access.ts';
import type { Permission } from '../access/permissions.ts';
import { taskLimits } from '../base/limits.ts';
import { refuse } from '../base/refusals.ts';
import { repeatKeys } from './repeat.ts';
import type { SprintPhase } from './sprint.ts';
import {
  actsAsApprover,
  attachRefusal,
  canSeeTasksOf,
  completingMove,
  createRefusal,
  decidesInsteadOf,
  editNoteRefusal,
  eventSentence,
  historyFor,
  isApprovedLate,
  isDecider,
  isHandedTo,
  isLongChange,
  type LastEvent,
  movesInOrder,
  nextMove,
  noneUndone,
  noteRefusal,
  planCarryOver,
  planDecide,
  planLeaveUndone,
  planMoveToSprint,
  planRepeat,
  planUndo,
  planUndoStep,
  planUpdate,
  planWithdraw,
  removalRefusal,
  returnRefusal,
  type Task,
  type TaskOwner,
  type TaskPlan,
  taskActions,
} from './task.ts';
import type { TaskStatus } from './task-status.ts';

const viewer = (id: string, permissions: Permission[], role = 'Staff', approverIds: string[] = []): Viewer => ({
  id,
  role,
  permissions: ['VIEW_DASHBOARD', ...permissions],
  approverIds,
});

const owner = viewer('owner', ['VIEW_TOP_5'], 'Staff', ['approver']);
const approver = viewer('approver', ['VIEW_TOP_5', 'VIEW_TOP_5_APPROVALS']);
const admin = viewer('admin', [], 'admin');
const adminOwner = viewer('owner', [], 'admin', ['approver']);
const otherApprover = viewer('other', ['VIEW_TOP_5', 'VIEW_TOP_5_APPROVALS']);
const approverWithoutPermission = viewer('approver', ['VIEW_TOP_5', 'VIEW_TOP_5_STATS', 'USER_MANAGEMENT']);

const person: TaskOwner = { id: 'owner', approverIds: ['approver'] };

const task = (more: Partial<Task> = {}): Task => ({
  ownerId: 'owner',
  status: 'TODO',
  title: 'Title',
  summary: 'Summary',
  category: 'Green',
  change: '',
  reason: null,
  version: 7,
  withdrawn: false,
  leftUndone: false,
  repeats: null,
  phase: 'active',
  ...more,
});

const statuses = ['INAPPROVAL', 'DENIED', 'TODO', 'INPROGRESS', 'INREVIEW', 'DONE'] as const;
const phases = ['future', 'active', 'settling', 'settled'] as const;
const codeOf = (answer: { kind: string; code?: string } | null): string => answer?.code ?? answer?.kind ?? 'allowed';

// From spec 4 and D15; never derived from the core. Rows: from, columns: to. . refused, = nothing to do, m
// moved, a approved, d denied, s signed off, b sent back, ? looks as if it didn't exist
const ownerMoves = `
             INAPPROVAL DENIED TODO INPROGRESS INREVIEW DONE
INAPPROVAL   .          .      .    .          .        .
DENIED       .          .      .    .          .        .
TODO         .          .      =    m          m        .
INPROGRESS   .          .      m    =          m        .
INREVIEW     .          .      m    m          =        .
DONE         .          .      .    .          .        .`;
const approverDecides = `
             INAPPROVAL DENIED TODO INPROGRESS INREVIEW DONE
INAPPROVAL   .          d      a    .          .        .
DENIED       .          .      .    .          .        .
TODO         .          .      .    .          .        .
INPROGRESS   .          .      .    .          .        .
INREVIEW     .          .      .    b          .        s
DONE         .          .      .    .          .        .`;
const nobody = `
             INAPPROVAL DENIED TODO INPROGRESS INREVIEW DONE
INAPPROVAL   ?          ?      ?    ?          ?        ?
DENIED       ?          ?      ?    ?          ?        ?
TODO         ?          ?      ?    ?          ?        ?
INPROGRESS   ?          ?      ?    ?          ?        ?
INREVIEW     ?          ?      ?    ?          ?        ?
DONE         ?          ?      ?    ?          ?        ?`;

const actors: Record<string, [Viewer, string]> = {
  'an approver of other people': [otherApprover, nobody],
  'the approver without the permission': [approverWithoutPermission, nobody],
  'the owner': [owner, ownerMoves],
  'an admin who is the owner': [adminOwner, ownerMoves],
  'the approver': [approver, approverDecides],
  'an admin': [admin, approverDecides],
};

const letters: Record<string, string> = { unchanged: '=', TRANSITION_NOT_ALLOWED: '.', NOT_FOUND: '?' };
const eventLetters: Record<string, string> = { moved: 'm', approved: 'a', denied: 'd', signedOff: 's', sentBack: 'b' };
const cellsOf = (table: string): [TaskStatus, TaskStatus, string][] => {
  const [head = '', ...rows] = table.trim().split('\n');
  const columns = head.trim().split(/\s+/) as TaskStatus[];
  return rows.flatMap((row) => {
    const [from, ...cells] = row.trim().split(/\s+/);
    return cells.map(
      (cell, index) => [from as TaskStatus, columns[index] as TaskStatus, cell] as [TaskStatus, TaskStatus, string],
    );
  });
};

describe('transitions (spec 4, D15)', () => {
  const cells = Object.entries(actors).flatMap(([name, [who, table]]) =>
    cellsOf(table).map(([from, to, cell]) => ({ name, who, from, to, cell })),
  );

  const onlyMovable = 'You can only move this task between To Do, In Progress, and Completed';
  it.each([
    ['INAPPROVAL', 'Waiting for approval. You can start it once it’s approved'],
    ['DENIED', 'This task was denied. Edit and resend it first'],
    ['TODO', onlyMovable],
    ['INPROGRESS', onlyMovable],
    ['INREVIEW', onlyMovable],
    ['DONE', 'Signed Off is final'],
  ] as const)('%s is refused to its owner with its reason in words', (from, message) => {
    const answer = planUpdate(owner, task({ status: from }), person, { status: 'DONE' });
    expect(answer).toMatchObject({ kind: 'refusal', code: 'TRANSITION_NOT_ALLOWED', message });
  });

  it.each(cells)('$name, $from to $to: $cell', ({ who, from, to, cell }) => {
    const answer = planUpdate(who, task({ status: from }), person, { status: to });
    const letter = answer.kind === 'plan' ? eventLetters[answer.event.kind] : letters[codeOf(answer)];
    expect(letter).toBe(cell);
    if (answer.kind !== 'plan') return;
    expect(answer.changes.status).toBe(to);
    expect(answer.event).toMatchObject({ from, to });
  });

  it('are 216 cells', () => {
    expect(cells).toHaveLength(216);
  });

  it('that are refused say what is possible instead', () => {
    const messageOf = (who: Viewer, from: TaskStatus, update: Parameters<typeof planUpdate>[3]) => {
      const answer = planUpdate(who, task({ status: from }), person, update);
      return answer.kind === 'refusal' ? answer.message : answer.kind;
    };
    expect(messageOf(owner, 'DENIED', { status: 'TODO', title: 'Better' })).toBe(
      'Editing a denied task sends it for approval again. Leave out the status',
    );
    expect(messageOf(owner, 'DENIED', { status: 'TODO' })).toBe('This task was denied. Edit and resend it first');
    expect(messageOf(owner, 'DONE', { status: 'TODO' })).toBe('Signed Off is final');
    expect(messageOf(approver, 'TODO', { status: 'DONE' })).toBe(
      'Approvers only decide on tasks that are Awaiting Approval or Completed',
    );
    expect(messageOf(approver, 'INREVIEW', { status: 'TODO' })).toBe('You can only sign off or send back this task');
    expect(messageOf(approver, 'DONE', { status: 'TODO' })).toBe('Signed Off is final');
  });
  it('that came second say that someone else was first', () => {
    const second = (from: TaskStatus, to: TaskStatus) =>
      planUpdate(approver, task({ status: from }), person, { status: to });
    for (const [from, to, now] of [
      ['TODO', 'TODO', 'To Do'],
      ['TODO', 'DENIED', 'To Do'],
      ['DENIED', 'TODO', 'Task Denied'],
      ['DONE', 'INPROGRESS', 'Signed Off'],
    ] as const)
      expect(second(from, to)).toMatchObject({
        code: 'TRANSITION_NOT_ALLOWED',
        message: `This task already has a decision. It’s ${now} now`,
      });
  });
  it('of a withdrawn task are refused to everybody who sees it', () => {
    for (const who of [owner, approver, admin]) {
      for (const from of statuses) {
        for (const to of statuses) {
          expect(codeOf(planUpdate(who, task({ status: from, withdrawn: true }), person, { status: to }))).toBe(
            'TRANSITION_NOT_ALLOWED',
          );
        }
      }
    }
    expect(codeOf(planUpdate(otherApprover, task({ withdrawn: true }), person, { status: 'TODO' }))).toBe('NOT_FOUND');
  });
});

describe('who decides (D15, D38)', () => {
  it('is never the owner, not even as one’s own approver or as an admin', () => {
    const own: TaskOwner = { id: 'owner', approverIds: ['owner'] };
    expect(isDecider(viewer('owner', ['VIEW_TOP_5', 'VIEW_TOP_5_APPROVALS']), own)).toBe(false);
    expect(isDecider(adminOwner, own)).toBe(false);
  });
  it('is the person’s approver with the permission, or an admin', () => {
    expect(isDecider(approver, person)).toBe(true);
    expect(isDecider(admin, { id: 'x', approverIds: [] })).toBe(true);
    expect(isDecider(approverWithoutPermission, person)).toBe(false);
    expect(isDecider(otherApprover, person)).toBe(false);
  });
  it('is a delegate of one of the approvers, with the permission and never of their own tasks (D40)', () => {
    const delegate: Viewer = { ...otherApprover, delegateOf: ['approver'] };
    const both: TaskOwner = { id: 'owner', approverIds: ['third', 'approver'] };
    expect([isDecider(delegate, person), isDecider(delegate, both)]).toEqual([true, true]);
    expect(isDecider({ ...delegate, permissions: ['VIEW_DASHBOARD', 'VIEW_TOP_5'] }, person)).toBe(false);
    expect(isDecider(delegate, { id: 'owner', approverIds: ['third'] })).toBe(false);
    expect(isDecider(delegate, { id: 'other', approverIds: ['approver'] })).toBe(false);
    expect(actsAsApprover(delegate, person)).toBe(true);
    expect([actsAsApprover(otherApprover, person), actsAsApprover(approver, person)]).toEqual([false, true]);
    expect(decidesInsteadOf(delegate, both)).toBe('approver');
    expect(decidesInsteadOf(delegate, { id: 'other', approverIds: ['approver'] })).toBeNull();
    // In their own right, and for nobody.
    expect(decidesInsteadOf(delegate, { id: 'owner', approverIds: ['approver', 'other'] })).toBeNull();
    expect(decidesInsteadOf(otherApprover, person)).toBeNull();
  });
  describe('of a task that was handed over (D41)', () => {
    const handOver = (ids: string[], toAdmins = false): TaskOwner => ({
      ...person,
      handOver: { nextInLine: ids.map((id) => ({ id, approverId: 'approver' })), toAdmins },
    });
    const next = otherApprover;
    it('is never its owner, nobody out of line, and nobody without the permission', () => {
      const ownerWhoApproves = viewer('owner', ['VIEW_TOP_5', 'VIEW_TOP_5_APPROVALS']);
      expect(isDecider(ownerWhoApproves, handOver(['owner']))).toBe(false);
      expect(isDecider({ ...ownerWhoApproves, delegateOf: ['other'] }, handOver(['other']))).toBe(false);
      expect(isDecider(next, handOver([], true))).toBe(false);
      expect(isDecider(viewer('third', ['VIEW_TOP_5_APPROVALS']), handOver(['other']))).toBe(false);
      expect(isDecider(viewer('other', ['VIEW_TOP_5']), handOver(['other']))).toBe(false);
      expect(isDecider(next, person)).toBe(false);
    });
    it('is the next in line and their delegate, who decide for the approver, as well as the approver', () => {
      const delegate: Viewer = { ...viewer('third', ['VIEW_TOP_5_APPROVALS']), delegateOf: ['other'] };
      for (const who of [next, delegate]) {
        expect([isDecider(who, handOver(['other'])), isHandedTo(who, handOver(['other']))]).toEqual([true, true]);
        expect(decidesInsteadOf(who, handOver(['other']))).toBe('approver');
      }
      expect(isDecider(approver, handOver(['other']))).toBe(true);
      expect([isHandedTo(approver, handOver(['other'])), decidesInsteadOf(approver, handOver(['other']))]).toEqual([
        false,
        null,
      ]);
    });
    it('is an admin, for the approver where nobody is next in line', () => {
      expect([isHandedTo(admin, handOver([], true)), decidesInsteadOf(admin, handOver([], true))]).toEqual([
        true,
        'approver',
      ]);
      expect([isHandedTo(admin, handOver(['other'])), decidesInsteadOf(admin, handOver(['other']))]).toEqual([
        false,
        null,
      ]);
    });
  });
  it('sees the tasks, and so does their owner with VIEW_TOP_5', () => {
    expect(canSeeTasksOf(viewer('owner', []), person)).toBe(false);
    expect(canSeeTasksOf(viewer('stranger', ['VIEW_TOP_5', 'USER_MANAGEMENT', 'VIEW_TOP_5_STATS']), person)).toBe(
      false,
    );
    for (const who of [owner, approver, admin]) expect(canSeeTasksOf(who, person)).toBe(true);
  });
});

const planOf = (answer: ReturnType<typeof planUpdate>): TaskPlan => {
  expect(answer.kind).toBe('plan');
  return answer as TaskPlan;
};

describe('a decision by its name (D15)', () => {
  it('is refused where nothing waits for it, with and without a version', () => {
    for (const version of [undefined, 7])
      expect(planDecide(approver, task(), person, 'approve', { version })).toMatchObject({
        code: 'TRANSITION_NOT_ALLOWED',
      });
  });
  it('is refused on one’s own task, to strangers and on a stale version', () => {
    const waiting = task({ status: 'INAPPROVAL' });
    expect(codeOf(planDecide(owner, waiting, person, 'approve', {}))).toBe('FORBIDDEN');
    expect(codeOf(planDecide(adminOwner, waiting, person, 'approve', {}))).toBe('FORBIDDEN');
    expect(codeOf(planDecide(otherApprover, waiting, person, 'approve', {}))).toBe('NOT_FOUND');
    expect(codeOf(planDecide(approver, task({ status: 'INAPPROVAL', withdrawn: true }), person, 'deny', {}))).toBe(
      'TRANSITION_NOT_ALLOWED',
    );
    for (const status of statuses) {
      expect(planDecide(approver, task({ status }), person, 'approve', { version: 6 }, ['status'])).toMatchObject({
        code: 'CONFLICT',
        changed: ['status'],
      });
    }
  });
  it.each([
    ['INAPPROVAL', 'TODO', 'DENIED'],
    ['INREVIEW', 'DONE', 'INPROGRESS'],
    ['DENIED', null, null],
    ['TODO', null, null],
    ['INPROGRESS', null, null],
    ['DONE', null, null],
  ] as const)('in %s approves to %s and denies to %s', (status, approve, deny) => {
    for (const [decision, to] of [
      ['approve', approve],
      ['deny', deny],
    ] as const) {
      for (const who of [approver, admin]) {
        const answer = planDecide(who, task({ status }), person, decision, { change: 'Because', version: 7 });
        if (to === null) expect(codeOf(answer)).toBe('TRANSITION_NOT_ALLOWED');
        else expect(answer).toEqual(planUpdate(who, task({ status }), person, { status: to, change: 'Because' }));
      }
    }
  });
});

describe('content (D17)', () => {
  it.each(['title', 'summary', 'category'] as const)('%s is edited alone by its owner only', (field) => {
    for (const who of [approver, admin]) {
      expect(codeOf(planUpdate(who, task(), person, { [field]: 'x' }))).toBe('FORBIDDEN');
      expect(codeOf(planUpdate(who, task({ status: 'INREVIEW' }), person, { status: 'DONE', [field]: 'x' }))).toBe(
        'FORBIDDEN',
      );
    }
    expect(codeOf(planUpdate(otherApprover, task(), person, { [field]: 'x' }))).toBe('NOT_FOUND');
  });

  it.each([
    ['INAPPROVAL', 'edited', 'INAPPROVAL'],
    ['DENIED', 'resubmitted', 'INAPPROVAL'],
    ['TODO', 'edited', 'TODO'],
    ['INPROGRESS', 'edited', 'INPROGRESS'],
    ['INREVIEW', 'edited', 'INREVIEW'],
  ] as const)('of a task in %s is %s and leaves it in %s', (status, kind, to) => {
    for (const field of ['title', 'summary', 'category', 'change'] as const) {
      const plan = planOf(planUpdate(owner, task({ status }), person, { [field]: 'new' }));
      expect(plan.event).toMatchObject({ kind, from: status, to });
      expect(plan.changes[field]).toBe('new');
      // The history contains only what changed.
      expect(plan.event.before).toEqual({ [field]: task()[field] });
      expect(plan.event.after).toEqual(plan.changes);
      expect(plan.event.change).toBe(field === 'change' ? 'new' : null);
    }
  });

  it('of a task that is DONE is final', () => {
    for (const update of [{ title: 'x' }, { summary: '' }, { category: 'Dig' }, { change: 'x' }]) {
      expect(codeOf(planUpdate(owner, task({ status: 'DONE' }), person, update))).toBe('TRANSITION_NOT_ALLOWED');
    }
  });

  it.each(['', ' ', '\n\t', '\u00a0'])('with the blank title %j is refused', (title) => {
    expect(planUpdate(owner, task(), person, { title })).toMatchObject({ code: 'BAD_INPUT', field: 'title' });
  });

  it('that carries nothing but the id is refused', () => {
    for (const who of [owner, approver]) {
      for (const update of [{}, { version: 7 }, { title: undefined, status: undefined }]) {
        expect(codeOf(planUpdate(who, task(), person, update))).toBe('BAD_INPUT');
      }
    }
  });

  it('and a movable status may come in one call, and both are checked', () => {
    const plan = planOf(planUpdate(owner, task(), person, { summary: 'new', status: 'INPROGRESS' }));
    expect(plan.changes).toEqual({ summary: 'new', status: 'INPROGRESS' });
    expect(codeOf(planUpdate(owner, task(), person, { summary: 'new', status: 'DONE' }))).toBe(
      'TRANSITION_NOT_ALLOWED',
    );
    expect(codeOf(planUpdate(owner, task(), person, { title: ' ', status: 'INPROGRESS' }))).toBe('BAD_INPUT');
  });

  it('that is the same as before changes nothing', () => {
    expect(planUpdate(owner, task(), person, { title: 'Title', summary: 'Summary', status: 'TODO' })).toEqual({
      kind: 'unchanged',
    });
  });

  it('that repeats a move is nothing to do in any sprint', () => {
    for (const phase of phases) {
      expect(planUpdate(owner, task({ phase }), person, { status: 'TODO' })).toEqual({ kind: 'unchanged' });
    }
  });

  it('is taken from the fields of content only', () => {
    const hostile = JSON.parse(
      '{"title":"x","__proto__":{"status":"DONE"},"ownerId":"other","version":7,"withdrawn":true,"reason":"y"}',
    );
    expect(planOf(planUpdate(owner, task(), person, hostile)).changes).toEqual({ title: 'x' });
  });
});

describe('an approval with edits (D17)', () => {
  const waiting = task({ status: 'INAPPROVAL' });
  const edit = { title: 'Clearer', summary: 'Shorter' };

  it('is refused with any other decision, to the owner and on a version that has changed', () => {
    for (const field of ['title', 'summary', 'category'] as const) {
      for (const who of [approver, admin]) {
        expect(codeOf(planDecide(who, waiting, person, 'deny', { [field]: 'new' }))).toBe('FORBIDDEN');
        for (const decision of ['approve', 'deny'] as const)
          expect(codeOf(planDecide(who, task({ status: 'INREVIEW' }), person, decision, { [field]: 'new' }))).toBe(
            'FORBIDDEN',
          );
        expect(planDecide(who, waiting, person, 'approve', { [field]: 'new', version: 6 }, ['title'])).toMatchObject({
          code: 'CONFLICT',
          changed: ['title'],
        });
      }
      expect(codeOf(planDecide(owner, waiting, person, 'approve', { [field]: 'new' }))).toBe('FORBIDDEN');
      expect(codeOf(planDecide(otherApprover, waiting, person, 'approve', { [field]: 'new' }))).toBe('NOT_FOUND');
    }
  });
  it('is refused with a blank title, and where the sprint’s result is final', () => {
    expect(planDecide(approver, waiting, person, 'approve', { title: ' ' })).toMatchObject({
      code: 'BAD_INPUT',
      field: 'title',
    });
    for (const phase of phases)
      expect(codeOf(planDecide(approver, { ...waiting, phase }, person, 'approve', edit))).toBe(
        phase === 'settled' ? 'SPRINT_DOES_NOT_ALLOW' : 'plan',
      );
  });
  it('is one entry of the history with both texts, by its name and by its result', () => {
    for (const answer of [
      planDecide(approver, waiting, person, 'approve', edit),
      planUpdate(approver, waiting, person, { ...edit, status: 'TODO' }),
    ])
      expect(planOf(answer).event).toEqual({
        ...{ kind: 'approved', from: 'INAPPROVAL', to: 'TODO', change: null },
        before: { title: 'Title', summary: 'Summary' },
        after: { ...edit, status: 'TODO' },
      });
  });
  it('that changes nothing is an approval', () => {
    const same = { title: 'Title', summary: 'Summary', category: 'Green' };
    for (const phase of ['future', 'active', 'settling'] as const)
      expect(planDecide(approver, { ...waiting, phase }, person, 'approve', same)).toEqual(
        planDecide(approver, { ...waiting, phase }, person, 'approve', {}),
      );
  });
  it('counts its texts against the history, and an approval none', () => {
    const summary = 'x'.repeat(taskLimits.longChange + 1);
    expect(isLongChange(planOf(planDecide(approver, waiting, person, 'approve', { summary })))).toBe(true);
    expect(isLongChange(planOf(planDecide(approver, { ...waiting, summary }, person, 'approve', {})))).toBe(false);
  });
});

describe('a denied task (spec 4, D15)', () => {
  it('is moved nowhere by its status alone', () => {
    for (const to of statuses) {
      expect(codeOf(planUpdate(owner, task({ status: 'DENIED' }), person, { status: to }))).toBe(
        'TRANSITION_NOT_ALLOWED',
      );
    }
  });
  it('returns to INAPPROVAL after an update of its content, even one that says the same', () => {
    for (const update of [{ title: 'Title' }, { change: '' }, { summary: 'new', status: 'INAPPROVAL' as const }]) {
      const plan = planOf(planUpdate(owner, task({ status: 'DENIED' }), person, update));
      expect(plan.changes.status).toBe('INAPPROVAL');
      expect(plan.event.kind).toBe('resubmitted');
    }
  });
  it.each(['DENIED', 'TODO', 'INPROGRESS', 'INREVIEW', 'DONE'] as const)('goes nowhere else with it: %s', (status) => {
    expect(codeOf(planUpdate(owner, task({ status: 'DENIED' }), person, { title: 'new', status }))).toBe(
      'TRANSITION_NOT_ALLOWED',
    );
  });
});

describe('change and reason (D16)', () => {
  it('take a decision with or without change', () => {
    const without = planOf(planUpdate(approver, task({ status: 'INAPPROVAL' }), person, { status: 'DENIED' }));
    expect(without.changes).toEqual({ status: 'DENIED' });
    expect(without.event.change).toBeNull();
    const withIt = planOf(
      planUpdate(approver, task({ status: 'INAPPROVAL' }), person, { status: 'DENIED', change: 'Too big' }),
    );
    expect(withIt.changes).toEqual({ status: 'DENIED', change: 'Too big', reason: 'Too big' });
    expect(withIt.event.change).toBe('Too big');
  });
  it('is nothing an approver sends without a decision', () => {
    expect(codeOf(planUpdate(approver, task(), person, { change: 'x' }))).toBe('FORBIDDEN');
  });
  it('are written once where they are said again', () => {
    const denied = planUpdate(approver, task({ status: 'INAPPROVAL', change: 'More' }), person, {
      status: 'DENIED',
      change: 'More',
    });
    expect(denied).toMatchObject({ kind: 'plan' });
    expect((denied as TaskPlan).changes).toEqual({ status: 'DENIED', reason: 'More' });
  });
  it('keep the last reason when the owner clears or answers the field', () => {
    const denied = task({ status: 'DENIED', change: 'Too big', reason: 'Too big' });
    for (const change of ['', 'Split it']) {
      const plan = planOf(planUpdate(owner, denied, person, { change }));
      expect(plan.changes).toEqual({ change, status: 'INAPPROVAL' });
      expect('reason' in plan.changes).toBe(false);
    }
  });
  it('keep the reason through a second denial without words', () => {
    const again = planOf(
      planUpdate(approver, task({ status: 'INAPPROVAL', reason: 'Too big' }), person, { status: 'DENIED', change: '' }),
    );
    expect('reason' in again.changes).toBe(false);
  });
  it('drop the reason with the next approval, and with a sign-off', () => {
    for (const [from, to] of [
      ['INAPPROVAL', 'TODO'],
      ['INREVIEW', 'DONE'],
    ] as const) {
      const plan = planOf(
        planUpdate(approver, task({ status: from, reason: 'Too big' }), person, { status: to, change: 'Good now' }),
      );
      expect(plan.changes).toMatchObject({ reason: null, change: 'Good now' });
      expect(plan.event.before.reason).toBe('Too big');
    }
  });
  it('note the reason of sending back', () => {
    const plan = planOf(
      planUpdate(approver, task({ status: 'INREVIEW' }), person, { status: 'INPROGRESS', change: 'Tests' }),
    );
    expect(plan.changes).toEqual({ status: 'INPROGRESS', change: 'Tests', reason: 'Tests' });
  });
});

describe('versions (D25)', () => {
  it.each([0, 6, 8, -1, Number.NaN])(
    'refuse the stale version %s with the fields that changed meanwhile',
    (version) => {
      const answer = planUpdate(owner, task(), person, { title: 'x', version }, ['summary', 'status']);
      expect(answer).toMatchObject({ kind: 'refusal', code: 'CONFLICT', changed: ['summary', 'status'] });
    },
  );
  it('name no field where none is known to have changed', () => {
    const stale = { kind: 'refusal', code: 'CONFLICT', changed: [] };
    expect(planUpdate(owner, task(), person, { title: 'Other', version: 6 })).toMatchObject(stale);
    expect(planDecide(approver, task(), person, 'approve', { version: 6 })).toMatchObject(stale);
  });
  it('refuse a stale decision', () => {
    expect(codeOf(planUpdate(approver, task({ status: 'INAPPROVAL' }), person, { status: 'TODO', version: 6 }))).toBe(
      'CONFLICT',
    );
  });
  it('say nothing of a version to who may not see the task', () => {
    expect(codeOf(planUpdate(otherApprover, task(), person, { title: 'x', version: 6 }))).toBe('NOT_FOUND');
  });
  it('apply to what is there when the version fits or is left out', () => {
    expect(planUpdate(owner, task(), person, { title: 'x', version: 7 }).kind).toBe('plan');
    expect(planUpdate(owner, task(), person, { title: 'x' }).kind).toBe('plan');
  });
});

describe('undo (D15)', () => {
  const at = Temporal.Instant.from('2026-11-16T10:00:00Z');
  const last = (more: Partial<LastEvent> = {}): LastEvent => ({
    kind: 'denied',
    actorId: 'approver',
    at,
    from: 'INAPPROVAL',
    version: 7,
    before: { change: 'old', reason: null },
    ...more,
  });
  const denied = task({ status: 'DENIED', change: 'new', reason: 'new' });
  const undo = (who: Viewer, more: Partial<LastEvent> | null = {}, seconds = 1, of: Task = denied) =>
    planUndo(who, of, person, more && last(more), at.add({ milliseconds: Math.round(seconds * 1000) }));

  it.each([
    ['of a decision by somebody else', 'CONFLICT', () => undo(admin)],
    ['when its owner changed the task since', 'CONFLICT', () => undo(approver, { kind: 'edited', actorId: 'owner' })],
    ['of a task without history', 'CONFLICT', () => undo(approver, null)],
    ['of an undo', 'CONFLICT', () => undo(approver, { kind: 'undone' })],
    ['of a note', 'CONFLICT', () => undo(approver, { kind: 'noteAdded' })],
    ['of a move by its owner', 'CONFLICT', () => undo(owner, { kind: 'moved', actorId: 'owner' })],
    ['after 30 seconds', 'TOO_LATE', () => undo(approver, {}, 30.001)],
    ['after a day', 'TOO_LATE', () => undo(approver, {}, 86_400)],
    ['30 seconds after its step', 'TOO_LATE', () => undo(approver, { stepEnd: at.add({ seconds: 9 }) }, 39.001)],
    ['of a step that took longer', 'TOO_LATE', () => undo(approver, { stepEnd: at.add({ seconds: 31 }) }, 31)],
    ['by who may not see the task', 'NOT_FOUND', () => undo(otherApprover, { actorId: 'other' })],
    ['by an approver who lost the permission', 'NOT_FOUND', () => undo(approverWithoutPermission)],
    ['of a withdrawn task', 'TRANSITION_NOT_ALLOWED', () => undo(approver, {}, 1, { ...denied, withdrawn: true })],
  ] as const)('is refused %s', (_title, code, act) => {
    expect(codeOf(act())).toBe(code);
  });

  it('can be of several tasks for 30 seconds after the last one, which took 30 seconds at most', () => {
    planOf(undo(approver, { stepEnd: at.add({ seconds: 30 }) }, 60));
    const message = 'Nothing was undone, because of “Old”: It changed';
    expect(noneUndone(refuse('CONFLICT', 'It changed'), { title: 'Old' })).toMatchObject({ code: 'CONFLICT', message });
    expect(noneUndone(refuse('TRANSITION_NOT_ALLOWED', 'It changed'), { title: 'Old' })).toMatchObject({ message });
    expect(noneUndone(refuse('NOT_FOUND'), { title: 'Old' })).toEqual(refuse('NOT_FOUND'));
  });

  it.each([0, 29.999, 30])('takes one’s own decision back after %s seconds', (seconds) => {
    const plan = planOf(undo(approver, {}, seconds));
    expect(plan.changes).toEqual({ status: 'INAPPROVAL', change: 'old', reason: null });
    expect(plan.event).toMatchObject({
      kind: 'undone',
      from: 'DENIED',
      to: 'INAPPROVAL',
      before: { change: 'new', reason: 'new' },
    });
  });

  it('brings every decision back to exactly what was there', () => {
    const decisions = [
      ['INAPPROVAL', 'TODO'],
      ['INAPPROVAL', 'DENIED'],
      ['INREVIEW', 'DONE'],
      ['INREVIEW', 'INPROGRESS'],
    ] as const;
    fc.assert(
      fc.property(
        fc.constantFrom(...decisions),
        fc.constantFrom('', 'old'),
        fc.constantFrom(null, 'reason'),
        fc.constantFrom(undefined, '', 'old', 'new'),
        fc.constantFrom(...phases),
        fc.constantFrom({}, { title: 'Clearer' }, { summary: '', category: 'Dig' }),
        ([from, to], change, reason, words, phase, edit) => {
          const before = task({ status: from, change, reason, phase });
          const edited = to === 'TODO' && phase !== 'settled' ? edit : {};
          const decided = planOf(planUpdate(approver, before, person, { status: to, change: words, ...edited }));
          const after = { ...before, ...decided.changes, version: 8 } as Task;
          const event = {
            kind: decided.event.kind,
            actorId: 'approver',
            at,
            from,
            version: 8,
            before: decided.event.before,
          };
          const undone = planOf(planUndo(approver, after, person, event, at));
          expect({ ...after, ...undone.changes, version: 7 }).toEqual(before);
        },
      ),
    );
  });
});

describe('the history (D15)', () => {
  const entry = (event: LastEvent['kind'], change: string | null) => ({
    event,
    change,
    before: '{"b":1}',
    after: '{}',
  });
  const past = [
    entry('created', null),
    entry('denied', 'First'),
    entry('resubmitted', 'Answer'),
    entry('denied', 'Oops'),
  ];
  const undone = [...past, entry('undone', null)];

  it('keeps the reason of an undone decision from the owner, and the decision itself in the list', () => {
    const read = historyFor(owner, 'owner', undone);
    expect(read.map(({ event }) => event)).toEqual(undone.map(({ event }) => event));
    expect(read.map(({ change }) => change)).toEqual([null, 'First', 'Answer', null, null]);
    expect(read.slice(3).map(({ before }) => before)).toEqual(['{}', '{}']);
  });
  it('finds the undone decision behind notes and files, and keeps those', () => {
    const noted = [...past, entry('noteAdded', null), entry('fileAdded', null), entry('undone', null)];
    const read = historyFor(owner, 'owner', noted);
    expect(read.map(({ change }) => change)).toEqual([null, 'First', 'Answer', null, null, null, null]);
    expect(read.map(({ before }) => before)).toEqual([
      '{"b":1}',
      '{"b":1}',
      '{"b":1}',
      '{}',
      '{"b":1}',
      '{"b":1}',
      '{}',
    ]);
  });
  it('has no text of a note that was edited, for anyone', () => {
    const edited = entry('noteEdited', null);
    for (const viewer of [owner, approver])
      expect(historyFor(viewer, 'owner', [edited])).toEqual([{ ...edited, before: '{}', after: '{}' }]);
  });
  it('is whole for everyone else, and for the owner without an undo', () => {
    expect(historyFor(approver, 'owner', undone)).toEqual(undone);
    expect(historyFor(owner, 'owner', past)).toEqual(past);
  });
});

describe('withdrawing (D15)', () => {
  it.each(['TODO', 'INPROGRESS', 'INREVIEW', 'DONE'] as const)('a task in %s is refused', (status) => {
    expect(codeOf(planWithdraw(owner, task({ status }), person))).toBe('TRANSITION_NOT_ALLOWED');
  });
  it('is refused to everybody but the owner', () => {
    for (const who of [approver, admin])
      expect(codeOf(planWithdraw(who, task({ status: 'DENIED' }), person))).toBe('FORBIDDEN');
    expect(codeOf(planWithdraw(otherApprover, task({ status: 'DENIED' }), person))).toBe('NOT_FOUND');
  });
  it('twice is refused', () => {
    expect(codeOf(planWithdraw(owner, task({ status: 'DENIED', withdrawn: true }), person))).toBe(
      'TRANSITION_NOT_ALLOWED',
    );
  });
  it.each(['INAPPROVAL', 'DENIED'] as const)('a task in %s keeps its status in the history', (status) => {
    const plan = planOf(planWithdraw(owner, task({ status }), person));
    expect(plan.changes).toEqual({ withdrawn: true });
    expect(plan.event).toMatchObject({ kind: 'withdrawn', from: status, to: status, change: null });
  });
  it('keeps the reason in the history', () => {
    const plan = planOf(planWithdraw(owner, task({ status: 'DENIED' }), person, 'The client left'));
    expect(plan.event.change).toBe('The client left');
  });
});

describe('carrying over (D39)', () => {
  const closed = { phase: 'settling' } as const;
  it.each(['future', 'active'] as const)('is refused while the sprint is %s', (phase) => {
    for (const status of statuses) expect(planCarryOver(owner, task({ status, phase }), person).kind).toBe('refusal');
  });
  it.each(['INREVIEW', 'DONE'] as const)('a task in %s is refused', (status) => {
    expect(codeOf(planCarryOver(owner, task({ status, ...closed }), person))).toBe('TRANSITION_NOT_ALLOWED');
  });
  it('is refused to everybody but the owner', () => {
    for (const who of [approver, admin]) expect(codeOf(planCarryOver(who, task(closed), person))).toBe('FORBIDDEN');
    expect(codeOf(planCarryOver(otherApprover, task(closed), person))).toBe('NOT_FOUND');
  });
  it('a withdrawn task is refused', () => {
    expect(codeOf(planCarryOver(owner, task({ status: 'DENIED', withdrawn: true, ...closed }), person))).toBe(
      'TRANSITION_NOT_ALLOWED',
    );
  });
  it('a task that a later sprint began with again is refused, because that sprint would have it twice', () => {
    for (const repeats of [null, 'weekly'] as const)
      expect(codeOf(planCarryOver(owner, task({ repeats, ...closed }), person))).toBe('plan');
    const addedAgain = task({ addedAgain: true, ...closed });
    expect(codeOf(planCarryOver(owner, addedAgain, person))).toBe('TRANSITION_NOT_ALLOWED');
    expect(codeOf(planLeaveUndone(owner, addedAgain, person))).toBe('plan');
  });
  it.each(['INAPPROVAL', 'DENIED', 'TODO', 'INPROGRESS'] as const)('keeps the approval of a task in %s', (status) => {
    for (const phase of ['settling', 'settled'] as const) {
      const plan = planOf(planCarryOver(owner, task({ status, phase }), person));
      expect(plan.changes).toEqual({ carriedOver: true });
      expect(plan.event).toMatchObject({ kind: 'carriedOver', from: status, to: status });
    }
  });
});

describe('moving to another sprint (D18)', () => {
  const next = { phase: 'future', isSame: false } as const;
  const move = (who: Viewer, more: Partial<Task> = {}, to: { phase: SprintPhase; isSame: boolean } = next) =>
    planMoveToSprint(who, task({ status: 'INAPPROVAL', ...more }), person, to, { version: more.version });
  it('is refused to everybody but the owner, and of a withdrawn task', () => {
    for (const who of [approver, admin]) expect(codeOf(move(who))).toBe('FORBIDDEN');
    expect(codeOf(move(otherApprover))).toBe('NOT_FOUND');
    expect(codeOf(move(owner, { withdrawn: true }))).toBe('TRANSITION_NOT_ALLOWED');
  });
  it.each(['TODO', 'INPROGRESS', 'INREVIEW', 'DONE'] as const)('a task in %s stays in its sprint', (status) => {
    expect(codeOf(move(owner, { status }))).toBe('TRANSITION_NOT_ALLOWED');
  });
  it.each(['settling', 'settled'] as const)('is refused from and to a sprint that is %s', (phase) => {
    expect(codeOf(move(owner, { phase }))).toBe('SPRINT_DOES_NOT_ALLOW');
    expect(move(owner, {}, { ...next, phase })).toMatchObject({ code: 'SPRINT_DOES_NOT_ALLOW', field: 'sprintId' });
  });
  it.each(['INAPPROVAL', 'DENIED'] as const)('a task in %s keeps its status, both ways', (status) => {
    for (const [from, to] of [
      ['active', 'future'],
      ['future', 'active'],
    ] as const) {
      const plan = planOf(move(owner, { status, phase: from }, { ...next, phase: to }));
      expect(plan.changes).toEqual({});
      expect(plan.event).toMatchObject({ kind: 'movedToSprint', from: status, to: status });
    }
  });
  it('that the caller saw in an older version is refused, but not where it is in the sprint already', () => {
    const stale = (to: { phase: SprintPhase; isSame: boolean }) =>
      planMoveToSprint(owner, task({ status: 'DENIED', version: 3 }), person, to, { version: 2 }, ['title']);
    expect(codeOf(stale(next))).toBe('CONFLICT');
    expect(codeOf(stale({ ...next, isSame: true }))).toBe('unchanged');
  });
  it('is taken back only into a sprint that still takes tasks', () => {
    const last = { kind: 'movedToSprint', at: Temporal.Instant.from('2026-11-23T08:59:50Z') } as const;
    expect(returnRefusal(last, { phase: 'active', resultAt: null })).toBeNull();
    expect(returnRefusal(last, { phase: 'settling', resultAt: null })).toMatchObject({ code: 'SPRINT_DOES_NOT_ALLOW' });
  });
});

describe('leaving undone (D39)', () => {
  const closed = { phase: 'settling' } as const;
  it.each(['future', 'active'] as const)('is refused while the sprint is %s', (phase) => {
    for (const status of statuses) expect(planLeaveUndone(owner, task({ status, phase }), person).kind).toBe('refusal');
  });
  it.each(['INAPPROVAL', 'DENIED', 'INREVIEW', 'DONE'] as const)('a task in %s is refused', (status) => {
    expect(codeOf(planLeaveUndone(owner, task({ status, ...closed }), person))).toBe('TRANSITION_NOT_ALLOWED');
  });
  it('keeps the reason in the history', () => {
    const plan = planOf(planLeaveUndone(owner, task({ status: 'TODO', ...closed }), person, 'No longer needed'));
    expect(plan.event).toMatchObject({ kind: 'leftUndone', change: 'No longer needed' });
  });
  it('is refused to everybody but the owner, of a withdrawn task, and twice', () => {
    for (const who of [approver, admin]) expect(codeOf(planLeaveUndone(who, task(closed), person))).toBe('FORBIDDEN');
    expect(codeOf(planLeaveUndone(otherApprover, task(closed), person))).toBe('NOT_FOUND');
    for (const more of [{ withdrawn: true }, { leftUndone: true }])
      expect(codeOf(planLeaveUndone(owner, task({ ...more, ...closed }), person))).toBe('TRANSITION_NOT_ALLOWED');
  });
  it.each(['TODO', 'INPROGRESS'] as const)('keeps the status of a task in %s', (status) => {
    for (const phase of ['settling', 'settled'] as const) {
      const plan = planOf(planLeaveUndone(owner, task({ status, phase }), person));
      expect(plan.changes).toEqual({ leftUndone: true });
      expect(plan.event).toMatchObject({ kind: 'leftUndone', from: status, to: status });
    }
  });
  it('ends when the task is completed or carried over', () => {
    const left = task({ leftUndone: true, ...closed });
    expect(planOf(planUpdate(owner, left, person, { status: 'INREVIEW' })).changes).toEqual({
      status: 'INREVIEW',
      leftUndone: false,
    });
    expect(planOf(planCarryOver(owner, left, person)).changes).toEqual({ carriedOver: true, leftUndone: false });
  });
});

describe('undo of the owner’s steps (D39)', () => {
  const at = Temporal.Instant.from('2026-11-24T10:00:00Z');
  const last = (kind: LastEvent['kind'], more: Partial<LastEvent> = {}): LastEvent => ({
    ...{ kind, actorId: 'owner', at, from: 'TODO', version: 7, before: {} },
    ...more,
  });
  const undo = (who: Viewer, event: LastEvent | null, seconds = 1, more: Partial<Task> = {}) =>
    planUndoStep(who, task(more), person, event, at.add({ milliseconds: Math.round(seconds * 1000) }));

  it.each([
    [
      'of a carry-over by somebody else',
      'FORBIDDEN',
      () => undo(approver, last('carriedOver', { actorId: 'approver' })),
    ],
    ['by who may not see the task', 'NOT_FOUND', () => undo(otherApprover, last('carriedOver'))],
    ['when the task was edited since', 'CONFLICT', () => undo(owner, last('edited'))],
    ['of a task without history', 'CONFLICT', () => undo(owner, null)],
    ['of a move that completed nothing', 'CONFLICT', () => undo(owner, last('moved'))],
    [
      'of a completion by somebody else',
      'CONFLICT',
      () => undo(owner, last('moved', { actorId: 'approver' }), 1, { status: 'INREVIEW' }),
    ],
    [
      'of a completion after the result',
      'SPRINT_DOES_NOT_ALLOW',
      () => undo(owner, last('moved'), 1, { status: 'INREVIEW', phase: 'settled' }),
    ],
    [
      'of a completion after 30 seconds',
      'TOO_LATE',
      () => undo(owner, last('moved'), 30.001, { status: 'INREVIEW', phase: 'settling' }),
    ],
    ['of an undo', 'CONFLICT', () => undo(owner, last('carryOverUndone'))],
    ['of a decision', 'CONFLICT', () => undo(adminOwner, last('approved', { actorId: 'owner' }))],
    ['after 30 seconds', 'TOO_LATE', () => undo(owner, last('leftUndone'), 30.001)],
  ] as const)('is refused %s', (_title, code, act) => {
    expect(codeOf(act())).toBe(code);
  });

  it.each([
    ['carriedOver', 'carryOverUndone', { carriedOver: false }],
    ['movedToSprint', 'sprintMoveUndone', {}],
    ['leftUndone', 'reopened', { leftUndone: false }],
    ['withdrawn', 'restored', { withdrawn: false }],
  ] as const)('of %s is the event %s', (kind, event, changes) => {
    const plan = planOf(undo(owner, last(kind), 30));
    expect(plan.changes).toEqual(changes);
    expect(plan.event.kind).toBe(event);
  });

  it.each(['active', 'settling'] as const)('of a completion moves the task back in a sprint that is %s', (phase) => {
    const event = last('moved', { from: 'INPROGRESS', before: { leftUndone: true } });
    const plan = planOf(undo(owner, event, 30, { status: 'INREVIEW', phase }));
    expect(plan.changes).toEqual({ status: 'INPROGRESS', leftUndone: true });
    expect(plan.event).toMatchObject({ kind: 'moved', from: 'INREVIEW', to: 'INPROGRESS' });
  });

  it('of a carry-over leaves the task undone again', () => {
    const plan = planOf(undo(owner, last('carriedOver', { before: { leftUndone: true } })));
    expect(plan.changes).toEqual({ carriedOver: false, leftUndone: true });
  });
});

describe('creating (D18)', () => {
  const keeper = { ...person, keepsTasks: true, disabled: false };
  const fieldOf = {
    ...{ NOT_FOUND: 'userId', BAD_INPUT: 'userId', SPRINT_DOES_NOT_ALLOW: 'sprintId' },
    NOT_APPROVED_BY_MANAGER: undefined,
  } as const;
  it.each([
    ['for a stranger', 'NOT_FOUND', () => createRefusal(otherApprover, keeper, 'active')],
    ['for oneself without VIEW_TOP_5', 'NOT_FOUND', () => createRefusal(viewer('owner', []), keeper, 'active')],
    [
      'for oneself without an approver',
      'NOT_APPROVED_BY_MANAGER',
      () => createRefusal(viewer('owner', ['VIEW_TOP_5']), keeper, 'active'),
    ],
    ['for a person without top-5', 'BAD_INPUT', () => createRefusal(admin, { ...keeper, keepsTasks: false }, 'active')],
    ['for a disabled account', 'BAD_INPUT', () => createRefusal(approver, { ...keeper, disabled: true }, 'active')],
    ['in a sprint that settles', 'SPRINT_DOES_NOT_ALLOW', () => createRefusal(owner, keeper, 'settling')],
    ['in a settled sprint', 'SPRINT_DOES_NOT_ALLOW', () => createRefusal(owner, keeper, 'settled')],
  ] as const)('is refused %s', (_title, code, act) => {
    const refusal = act();
    expect(codeOf(refusal)).toBe(code);
    expect(refusal?.field).toBe(fieldOf[code]);
  });
  it.each(['current', 'next'] as const)('in the %s sprint is for the owner, the approver and an admin', (sprint) => {
    for (const who of [owner, approver, admin, adminOwner]) {
      expect(createRefusal(who, keeper, sprint === 'current' ? 'active' : 'future')).toBeNull();
    }
  });
});

describe('notes and files (D15, D17, D24)', () => {
  it('are refused to who may not see the task, and on a withdrawn one', () => {
    for (const rule of [noteRefusal, attachRefusal]) {
      expect(codeOf(rule(otherApprover, task(), person))).toBe('NOT_FOUND');
      expect(codeOf(rule(owner, task({ withdrawn: true }), person))).toBe('TRANSITION_NOT_ALLOWED');
    }
    expect(codeOf(editNoteRefusal(otherApprover, task(), person, 'other'))).toBe('NOT_FOUND');
    expect(codeOf(removalRefusal(otherApprover, task(), person, 'other', 'note'))).toBe('NOT_FOUND');
  });
  it('can be added in every status but DONE, where notes stay possible', () => {
    for (const status of statuses) {
      for (const who of [owner, approver, admin]) {
        expect(noteRefusal(who, task({ status }), person)).toBeNull();
        expect(codeOf(attachRefusal(who, task({ status }), person))).toBe(
          status === 'DONE' ? 'TRANSITION_NOT_ALLOWED' : 'allowed',
        );
      }
    }
  });
  it('are edited by their author only, not by an admin, and by nobody when the author is unknown', () => {
    expect(editNoteRefusal(owner, task(), person, 'owner')).toBeNull();
    for (const author of ['owner', null])
      expect(codeOf(editNoteRefusal(admin, task(), person, author))).toBe('FORBIDDEN');
  });
  it.each(['note', 'file'] as const)('a %s is removed by its author or an admin', (what) => {
    expect(codeOf(removalRefusal(approver, task(), person, 'owner', what))).toBe('FORBIDDEN');
    expect(codeOf(removalRefusal(owner, task(), person, null, what))).toBe('FORBIDDEN');
    expect(removalRefusal(owner, task(), person, 'owner', what)).toBeNull();
    expect(removalRefusal(admin, task(), person, null, what)).toBeNull();
  });
  it('a file of a task that is final or settled stays, a note may go', () => {
    for (const more of [{ status: 'DONE' }, { phase: 'settled' }] as const) {
      expect(removalRefusal(admin, task(more), person, 'owner', 'file')?.kind).toBe('refusal');
      expect(removalRefusal(admin, task(more), person, 'owner', 'note')).toBeNull();
    }
  });
});

describe('what a sprint allows (D39)', () => {
  // From D39: y allowed, n refused because of the sprint.
  const table: Record<
    string,
    [Record<SprintPhase, 'y' | 'n'>, (phase: SprintPhase) => { kind: string; code?: string } | null]
  > = {
    create: [
      { future: 'y', active: 'y', settling: 'n', settled: 'n' },
      (phase) => createRefusal(owner, { ...person, keepsTasks: true, disabled: false }, phase),
    ],
    edit: [
      { future: 'y', active: 'y', settling: 'y', settled: 'n' },
      (phase) => planUpdate(owner, task({ phase }), person, { title: 'new' }),
    ],
    resubmit: [
      { future: 'y', active: 'y', settling: 'y', settled: 'n' },
      (phase) => planUpdate(owner, task({ phase, status: 'DENIED' }), person, { title: 'new' }),
    ],
    move: [
      { future: 'y', active: 'y', settling: 'n', settled: 'n' },
      (phase) => planUpdate(owner, task({ phase }), person, { status: 'INPROGRESS' }),
    ],
    'move back': [
      { future: 'y', active: 'y', settling: 'n', settled: 'n' },
      (phase) => planUpdate(owner, task({ phase, status: 'INREVIEW' }), person, { status: 'TODO' }),
    ],
    'complete TODO': [
      { future: 'y', active: 'y', settling: 'y', settled: 'n' },
      (phase) => planUpdate(owner, task({ phase }), person, { status: 'INREVIEW' }),
    ],
    'complete INPROGRESS': [
      { future: 'y', active: 'y', settling: 'y', settled: 'n' },
      (phase) => planUpdate(owner, task({ phase, status: 'INPROGRESS' }), person, { status: 'INREVIEW' }),
    ],
    approve: [
      { future: 'y', active: 'y', settling: 'y', settled: 'y' },
      (phase) => planUpdate(approver, task({ phase, status: 'INAPPROVAL' }), person, { status: 'TODO' }),
    ],
    deny: [
      { future: 'y', active: 'y', settling: 'y', settled: 'y' },
      (phase) => planUpdate(approver, task({ phase, status: 'INAPPROVAL' }), person, { status: 'DENIED' }),
    ],
    'sign off': [
      { future: 'y', active: 'y', settling: 'y', settled: 'y' },
      (phase) => planUpdate(approver, task({ phase, status: 'INREVIEW' }), person, { status: 'DONE' }),
    ],
    'send back': [
      { future: 'y', active: 'y', settling: 'y', settled: 'y' },
      (phase) => planUpdate(approver, task({ phase, status: 'INREVIEW' }), person, { status: 'INPROGRESS' }),
    ],
    withdraw: [
      { future: 'y', active: 'y', settling: 'y', settled: 'y' },
      (phase) => planWithdraw(owner, task({ phase, status: 'DENIED' }), person),
    ],
    'carry over': [
      { future: 'n', active: 'n', settling: 'y', settled: 'y' },
      (phase) => planCarryOver(owner, task({ phase }), person),
    ],
    'leave undone': [
      { future: 'n', active: 'n', settling: 'y', settled: 'y' },
      (phase) => planLeaveUndone(owner, task({ phase }), person),
    ],
    note: [
      { future: 'y', active: 'y', settling: 'y', settled: 'y' },
      (phase) => noteRefusal(owner, task({ phase }), person),
    ],
    attach: [
      { future: 'y', active: 'y', settling: 'y', settled: 'n' },
      (phase) => attachRefusal(owner, task({ phase }), person),
    ],
  };
  const cells = Object.entries(table).flatMap(([act, [row, ask]]) =>
    phases.map((phase) => ({ act, phase, cell: row[phase], ask })),
  );
  it.each(cells)('$act in a sprint that is $phase: $cell', ({ phase, cell, ask }) => {
    const answer = ask(phase);
    if (cell === 'n') expect(answer).toMatchObject({ kind: 'refusal', code: 'SPRINT_DOES_NOT_ALLOW' });
    else expect(answer?.kind ?? 'allowed').not.toBe('refusal');
  });
});

describe('repeating a task', () => {
  it('is refused to everybody but the owner', () => {
    for (const who of [approver, admin]) expect(codeOf(planRepeat(who, task(), person, 'weekly'))).toBe('FORBIDDEN');
    for (const who of [otherApprover, approverWithoutPermission])
      expect(codeOf(planRepeat(who, task(), person, null))).toBe('NOT_FOUND');
  });
  it('is refused of a withdrawn task, which can still stop', () => {
    const withdrawn = task({ withdrawn: true, repeats: 'weekly' });
    expect(codeOf(planRepeat(owner, withdrawn, person, 'twoWeekly'))).toBe('TRANSITION_NOT_ALLOWED');
    expect(planOf(planRepeat(owner, withdrawn, person, null)).changes).toEqual({ repeats: null });
  });
  it('is refused of a past sprint’s task that doesn’t repeat, or no longer', () => {
    for (const phase of phases)
      expect(codeOf(planRepeat(owner, task({ phase }), person, 'weekly'))).toBe(
        phase === 'future' || phase === 'active' ? 'plan' : 'SPRINT_DOES_NOT_ALLOW',
      );
  });
  it('is refused of a task that passed its rule on, wherever it was carried over to', () => {
    const carried = (phase: (typeof phases)[number]) =>
      planRepeat(owner, task({ phase }), person, 'weekly', { passedOn: true });
    for (const phase of ['active', 'future'] as const) expect(codeOf(carried(phase))).toBe('TRANSITION_NOT_ALLOWED');
    expect(codeOf(planRepeat(approver, task(), person, 'weekly', { passedOn: true }))).toBe('FORBIDDEN');
  });
  it.each(statuses)('changes nothing else of a task that is %s, in any sprint', (status) => {
    for (const phase of phases) {
      const plan = planOf(planRepeat(owner, task({ status, phase, repeats: 'weekly' }), person, 'monthLast'));
      expect(plan.changes).toEqual({ repeats: 'monthLast' });
      expect(plan.event).toEqual({
        ...{ kind: 'repeatSet', from: status, to: status, change: null },
        ...{ before: { repeats: 'weekly' }, after: { repeats: 'monthLast' } },
      });
    }
  });
  it('is another event when it stops, and nothing to do when it is so already', () => {
    const plan = planOf(planRepeat(owner, task({ repeats: 'weekly' }), person, null));
    expect(plan.event).toMatchObject({
      kind: 'repeatStopped',
      before: { repeats: 'weekly' },
      after: { repeats: null },
    });
    for (const rule of [null, 'weekly'] as const)
      expect(codeOf(planRepeat(owner, task({ repeats: rule }), person, rule))).toBe('unchanged');
  });
});

it('an approval comes late where the sprint is over and its result isn’t final', () => {
  const late = statuses.flatMap((status) =>
    phases.flatMap((phase) => (isApprovedLate({ status, phase }) ? [[status, phase]] : [])),
  );
  expect(late).toEqual([['INAPPROVAL', 'settling']]);
});

describe('the buttons (taskActions)', () => {
  const everybody = Object.entries(actors).map(([name, [who]]) => [name, who] as const);
  const anyTask = fc.record({
    status: fc.constantFrom(...statuses),
    phase: fc.constantFrom(...phases),
    withdrawn: fc.boolean(),
    leftUndone: fc.boolean(),
    repeats: fc.constantFrom(null, 'weekly' as const),
    addedAgain: fc.boolean(),
  });

  it.each(everybody)('of %s are the answers of the rules', (_name, who) => {
    fc.assert(
      fc.property(anyTask, (more) => {
        const it = task(more);
        const actions = taskActions(who, it, person);
        const goes = (answer: { kind: string } | null) => answer === null || answer.kind !== 'refusal';
        const own = who.id === 'owner';
        const leads = (to: TaskStatus) => goes(planUpdate(who, it, person, { status: to }));
        expect(actions.edit).toBe(goes(planUpdate(who, it, person, { title: 'new title' })));
        expect(actions.resubmit).toBe(actions.edit && it.status === 'DENIED');
        expect(actions.moves).toEqual(own ? statuses.filter((to) => to !== it.status && leads(to)) : []);
        expect(actions.decisions ? Object.values(actions.decisions).sort() : []).toEqual(
          own ? [] : statuses.filter(leads).sort(),
        );
        expect(actions.approveEdited).toBe(goes(planDecide(who, it, person, 'approve', { title: 'new title' })));
        expect(actions.withdraw).toBe(goes(planWithdraw(who, it, person)));
        const ahead = { phase: 'future', isSame: false } as const;
        expect(actions.moveToSprint).toBe(goes(planMoveToSprint(who, it, person, ahead)));
        expect(actions.carryOver).toBe(goes(planCarryOver(who, it, person)));
        expect(actions.leaveUndone).toBe(goes(planLeaveUndone(who, it, person)));
        const repeated = [null, ...repeatKeys].filter((to) => planRepeat(who, it, person, to).kind === 'plan');
        expect(actions.repeat).toBe(repeated.length > 0);
        expect(actions.note).toBe(goes(noteRefusal(who, it, person)));
        expect(actions.attach).toBe(goes(attachRefusal(who, it, person)));
      }),
      { numRuns: 200 },
    );
  });

  it('are none for who may not see the task', () => {
    expect(taskActions(otherApprover, task(), person)).toEqual({
      edit: false,
      resubmit: false,
      moves: [],
      decisions: null,
      approveEdited: false,
      withdraw: false,
      moveToSprint: false,
      carryOver: false,
      leaveUndone: false,
      repeat: false,
      note: false,
      attach: false,
    });
  });

  it('name where each decision leads', () => {
    expect(taskActions(approver, task({ status: 'INAPPROVAL' }), person).decisions).toEqual({
      approve: 'TODO',
      deny: 'DENIED',
    });
    expect(taskActions(approver, task({ status: 'INREVIEW' }), person).decisions).toEqual({
      approve: 'DONE',
      deny: 'INPROGRESS',
    });
  });
});

describe('the steps of a row', () => {
  it.each([
    ['INAPPROVAL', null, null],
    ['DENIED', null, null],
    ['TODO', 'INPROGRESS', 'INREVIEW'],
    ['INPROGRESS', 'INREVIEW', 'INREVIEW'],
    ['INREVIEW', null, null],
    ['DONE', null, null],
  ] as const)('of a task that is %s lead to %s, and complete it as %s', (status, next, completed) => {
    const actions = taskActions(owner, task({ status }), person);
    expect([nextMove({ status }, actions), completingMove(actions)]).toEqual([next, completed]);
  });
  it('come before the other moves', () => {
    const inOrder = (status: TaskStatus) => movesInOrder({ status }, taskActions(owner, task({ status }), person));
    expect(inOrder('TODO')).toEqual(['INPROGRESS', 'INREVIEW']);
    expect(inOrder('INPROGRESS')).toEqual(['INREVIEW', 'TODO']);
    expect(inOrder('INREVIEW')).toEqual(['TODO', 'INPROGRESS']);
    expect(inOrder('DONE')).toEqual([]);
  });
  it('start nothing for other people, and only complete while a sprint settles', () => {
    const settling = taskActions(owner, task({ phase: 'settling' }), person);
    expect([nextMove({ status: 'TODO' }, settling), completingMove(settling)]).toEqual([null, 'INREVIEW']);
    const others = taskActions(approver, task(), person);
    expect([nextMove({ status: 'TODO' }, others), completingMove(others)]).toEqual([null, null]);
  });
});

it.each([
  ['signedOff', 'Farah signed off this task'],
  ['leftUndone', 'Farah left this task undone'],
  ['undone', 'Farah undid the decision on this task'],
  ['noteAdded', 'Farah added a note to this task'],
  ['movedToSprint', 'Farah moved this task to another sprint'],
  ['sprintMoveUndone', 'Farah moved this task back to its sprint'],
  ['repeatSet', 'Farah set this task to repeat'],
  ['repeatStopped', 'Farah stopped repeating this task'],
] as const)('%s is a sentence: %s', (event, sentence) => {
  expect(eventSentence('Farah', event, 'this task')).toBe(sentence);
});
