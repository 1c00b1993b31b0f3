// The time tracker in the API. Every call is refused while the setting is off.
import { callAccess } from '#core/access/call-access.ts';
import { readInput } from '#core/base/inputs.ts';
import {
  addTimeInput,
  editTimeInput,
  startTimerInput,
  stopTimerInput,
  timeEntryIdInput,
  timeWeekInput,
  timeWeeksInput,
} from '#core/toolbox/time-entries.ts';
import { builder } from '#server/platform/graphql/builder.ts';
import { orThrow } from '#server/platform/graphql/refusal-error.ts';
import { addTime, type Entry, editTime, myTimer, removeTime, startTimer, stopTimer } from './time.service.ts';
import type { WeekSumRow } from './time.store.ts';
import { setFinal, timeWeek, timeWeeks, type Week } from './time-weeks.service.ts';

const EntryType = builder.objectRef<Entry>('TimeEntry');
const WeekType = builder.objectRef<Week>('TimeWeek');
const WeekSumType = builder.objectRef<WeekSumRow>('TimeWeekSum');

const access = callAccess.time;

export function defineTime(): void {
  defineTypes();
  builder.queryFields((t) => ({
    myTimer: t.field({
      type: EntryType,
      nullable: true,
      access,
      hiddenWhileImpersonating: true,
      resolve: (_root, _args, context) => myTimer(context),
    }),
    timeWeek: t.field({
      hiddenWhileImpersonating: true,
      type: WeekType,
      access,
      description: 'The caller’s week, by its Monday in company time',
      args: { monday: t.arg.string({ required: true }) },
      resolve: (_root, args, context) => timeWeek(context, orThrow(readInput(timeWeekInput, args)).monday),
    }),
    timeWeeks: t.field({
      type: [WeekSumType],
      access,
      turn: 'heavy',
      description:
        'Weekly totals of 13 weeks, oldest first, of the caller or of someone whose tasks the caller decides',
      args: { userId: t.arg.id() },
      resolve: (_root, args, context) => timeWeeks(context, orThrow(readInput(timeWeeksInput, args)).userId),
    }),
  }));
  defineChanges();
}

function defineChanges(): void {
  builder.mutationFields((t) => {
    const stretch = {
      taskId: t.arg.id({ required: true }),
      start: t.arg.string({ required: true }),
      end: t.arg.string({ required: true }),
    };
    const week = { monday: t.arg.string({ required: true }) };
    return {
      startTimer: t.field({
        type: EntryType,
        access,
        description: 'Starts the timer of this task, and stops the running one',
        args: { taskId: t.arg.id({ required: true }) },
        resolve: (_root, args, context) => startTimer(context, orThrow(readInput(startTimerInput, args)).taskId),
      }),
      stopTimer: t.field({
        type: EntryType,
        nullable: true,
        access,
        description: 'Now, or at an earlier instant',
        args: { at: t.arg.string() },
        resolve: (_root, args, context) => stopTimer(context, orThrow(readInput(stopTimerInput, args)).at),
      }),
      addTime: t.field({
        type: EntryType,
        access,
        args: stretch,
        resolve: (_root, args, context) => addTime(context, orThrow(readInput(addTimeInput, args))),
      }),
      editTime: t.field({
        type: EntryType,
        access,
        args: { id: t.arg.id({ required: true }), ...stretch },
        resolve: (_root, args, context) => {
          const { id, ...given } = orThrow(readInput(editTimeInput, args));
          return editTime(context, id, given);
        },
      }),
      removeTime: t.field({
        type: EntryType,
        access,
        args: { id: t.arg.id({ required: true }) },
        resolve: (_root, args, context) => removeTime(context, orThrow(readInput(timeEntryIdInput, args)).id),
      }),
      finishTimeWeek: t.field({
        type: WeekType,
        access,
        args: week,
        resolve: (_root, args, context) => setFinal(context, orThrow(readInput(timeWeekInput, args)).monday, true),
      }),
      reopenTimeWeek: t.field({
        type: WeekType,
        access,
        args: week,
        resolve: (_root, args, context) => setFinal(context, orThrow(readInput(timeWeekInput, args)).monday, false),
      }),
    };
  });
}

function defineTypes(): void {
  EntryType.implement({
    fields: (t) => ({
      id: t.exposeID('id'),
      taskId: t.exposeID('taskId'),
      title: t.exposeString('title'),
      start: t.exposeString('startAt'),
      end: t.exposeString('endAt', { nullable: true, description: 'Null while it runs' }),
      forgotten: t.exposeBoolean('forgotten', { description: 'Started on an earlier day' }),
    }),
  });
  WeekType.implement({
    fields: (t) => ({
      monday: t.exposeString('monday'),
      final: t.exposeBoolean('final'),
      canReopen: t.exposeBoolean('canReopen'),
      entries: t.expose('entries', { type: [EntryType] }),
    }),
  });
  WeekSumType.implement({
    fields: (t) => ({
      monday: t.exposeString('monday'),
      seconds: t.exposeInt('seconds'),
      final: t.exposeBoolean('final'),
    }),
  });
}
