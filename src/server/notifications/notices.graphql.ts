// Notifications in the API: the inbox, its settings, and for admins the failed mails.
import { callAccess } from '#core/access/call-access.ts';
import { readInput } from '#core/base/inputs.ts';
import * as inputs from '#core/notifications/notice-inputs.ts';
import type { QuietHours } from '#core/notifications/quiet-hours.ts';
import { builder } from '#server/platform/graphql/builder.ts';
import { NoticeKindEnum } from '#server/platform/graphql/enums.ts';
import { orThrow } from '#server/platform/graphql/refusal-error.ts';
import { ownerOfTask } from '#server/tasks/hand-over.ts';
import { listTasks } from '#server/tasks/tasks.service.ts';
import { retryMails, type TroubledMail, troubledMails } from './mail-delivery.service.ts';
import { type Mentionable, mentionable } from './mentions.service.ts';
import {
  chooseNotices,
  type KindChoice,
  listNotices,
  markNotices,
  type Notice,
  noticeChoices,
  seeNotices,
  unreadNotices,
} from './notices.service.ts';
import { chooseQuietHours, quietHours } from './quiet-hours.service.ts';

const NoticeType = builder.objectRef<Notice>('Notice');
const ChoiceType = builder.objectRef<KindChoice>('NoticeChoice');
const QuietHoursType = builder.objectRef<QuietHours>('QuietHours');
const TroubledMailType = builder.objectRef<TroubledMail>('TroubledMail');
const MentionableType = builder.objectRef<Mentionable>('Mentionable');

export function defineNotices(): void {
  NoticeType.implement({
    fields: (t) => ({
      id: t.exposeID('id'),
      kind: t.expose('kind', { type: NoticeKindEnum }),
      at: t.exposeString('at'),
      read: t.exposeBoolean('read'),
      sentence: t.exposeString('sentence'),
      detail: t.exposeString('detail', { nullable: true }),
      path: t.exposeString('path', { description: 'The page it opens' }),
    }),
  });
  ChoiceType.implement({
    fields: (t) => ({
      kind: t.expose('kind', { type: NoticeKindEnum }),
      inApp: t.exposeBoolean('inApp'),
      mail: t.exposeBoolean('mail'),
    }),
  });
  QuietHoursType.implement({
    fields: (t) => ({
      on: t.exposeBoolean('on'),
      from: t.exposeString('from', { description: 'In company time, like 19:00' }),
      to: t.exposeString('to', { description: 'On the next day, if it isn’t after `from`' }),
      daysOff: t.exposeBoolean('daysOff', { description: 'Also whole weekends and company holidays' }),
    }),
  });
  TroubledMailType.implement({
    fields: (t) => ({
      id: t.exposeID('id'),
      to: t.exposeString('to'),
      reason: t.exposeString('reason', { description: 'What the mail server said last' }),
      tries: t.exposeInt('tries'),
      nextTry: t.exposeString('nextTry', { nullable: true, description: 'Null when given up' }),
    }),
  });
  MentionableType.implement({
    fields: (t) => ({
      id: t.exposeID('id'),
      displayName: t.exposeString('displayName'),
      team: t.exposeString('team', { nullable: true }),
      seesTask: t.exposeBoolean('seesTask', {
        description: 'People who can’t see the task aren’t notified of mentions',
      }),
    }),
  });
  defineNoticeQueries();
  defineNoticeMutations();
}

function defineNoticeQueries(): void {
  builder.queryFields((t) => ({
    notices: t.field({
      type: [NoticeType],
      access: 'application',
      args: { before: t.arg.id(), limit: t.arg.int() },
      description: 'The caller’s notifications, newest first',
      resolve: (_root, args, context) => listNotices(context, orThrow(readInput(inputs.noticesInput, args))),
    }),
    unreadNotices: t.int({
      access: 'application',
      description: 'How many are unread, up to 100',
      resolve: (_root, _args, context) => unreadNotices(context),
    }),
    noticeChoices: t.field({
      type: [ChoiceType],
      access: 'application',
      description: 'The caller’s notification settings',
      resolve: (_root, _args, context) => noticeChoices(context),
    }),
    quietHours: t.field({
      type: QuietHoursType,
      access: 'application',
      description: 'When the caller’s emails wait',
      resolve: (_root, _args, context) => quietHours(context),
    }),
    sendsMails: t.boolean({
      access: 'application',
      description: 'Whether email is set up',
      resolve: (_root, _args, { mail }) => mail.configured,
    }),
    troubledMails: t.field({
      type: [TroubledMailType],
      access: 'admin',
      description: 'Failed emails',
      resolve: (_root, _args, context) => troubledMails(context),
    }),
    mentionable: t.field({
      type: [MentionableType],
      access: callAccess.tasks,
      args: { taskId: t.arg.id({ required: true }), name: t.arg.string(), ids: t.arg.idList() },
      description: 'People to mention in a note, by name or ID',
      resolve: async (_root, args, context) => {
        const { taskId, ...search } = orThrow(readInput(inputs.mentionableInput, args));
        const [task] = await listTasks(context, { taskId }, ['approvers']);
        const owner = task ? await ownerOfTask(context, context.viewer, task) : null;
        return mentionable(context, owner, search);
      },
    }),
  }));
}

function defineNoticeMutations(): void {
  builder.mutationFields((t) => ({
    markNotices: t.int({
      access: 'application',
      args: { ids: t.arg.idList({ required: true }), read: t.arg.boolean({ required: true }) },
      description: 'Returns how many are unread',
      resolve: (_root, args, context) => {
        const { ids, read } = orThrow(readInput(inputs.markNoticesInput, args));
        return markNotices(context, { ids }, read);
      },
    }),
    markAllNotices: t.int({
      access: 'application',
      args: { upTo: t.arg.id({ required: true }) },
      description: 'Marks all as read up to the newest one seen. Returns how many are unread',
      resolve: (_root, args, context) =>
        markNotices(context, orThrow(readInput(inputs.markAllNoticesInput, args)), true),
    }),
    seeNotices: t.boolean({
      access: 'application',
      args: { ids: t.arg.idList({ required: true }) },
      description: 'They were shown to the caller. They stay unread, but an undo no longer removes them silently',
      resolve: async (_root, args, context) => {
        await seeNotices(context, orThrow(readInput(inputs.seeNoticesInput, args)).ids);
        return true;
      },
    }),
    chooseNotices: t.field({
      type: [ChoiceType],
      access: 'application',
      args: {
        kind: t.arg({ type: NoticeKindEnum, required: true }),
        inApp: t.arg.boolean({ required: true }),
        mail: t.arg.boolean({ required: true }),
      },
      resolve: (_root, args, context) => chooseNotices(context, orThrow(readInput(inputs.chooseNoticesInput, args))),
    }),
    chooseQuietHours: t.field({
      type: QuietHoursType,
      access: 'application',
      args: {
        on: t.arg.boolean({ required: true }),
        from: t.arg.string({ required: true }),
        to: t.arg.string({ required: true }),
        daysOff: t.arg.boolean({ required: true }),
      },
      resolve: (_root, args, context) =>
        chooseQuietHours(context, orThrow(readInput(inputs.chooseQuietHoursInput, args))),
    }),
    retryMails: t.field({
      type: [TroubledMailType],
      access: 'admin',
      args: { ids: t.arg.idList({ required: true }) },
      resolve: (_root, args, context) => retryMails(context, orThrow(readInput(inputs.retryMailsInput, args)).ids),
    }),
  }));
}
