// The API's enums, generated from the core's keys.
import { type NoticeKind, noticeKindKeys } from '#core/notifications/notices.ts';
import { repeatKeys } from '#core/tasks/repeat.ts';
import type { SprintState } from '#core/tasks/sprint.ts';
import { type TaskEventKind, taskEventKinds } from '#core/tasks/task.ts';
import { type Decision, type TaskStatus, taskStatusKeys } from '#core/tasks/task-status.ts';
import { builder } from './builder.ts';

export const TaskStatusEnum = builder.enumType('TaskStatus', {
  values: taskStatusKeys as [TaskStatus, ...TaskStatus[]],
});

export const TaskEventEnum = builder.enumType('TaskEvent', {
  description: 'What happened to a task; one value per kind of `core/tasks/task.ts`.',
  values: taskEventKinds as [TaskEventKind, ...TaskEventKind[]],
});

export const TaskRepeatEnum = builder.enumType('TaskRepeat', { values: repeatKeys });

export const DecisionEnum = builder.enumType('Decision', {
  values: ['approve', 'deny'] as const satisfies readonly Decision[],
});

export const SprintStateEnum = builder.enumType('SprintState', {
  values: ['active', 'closed', 'future'] as const satisfies readonly SprintState[],
});

export const NoticeKindEnum = builder.enumType('NoticeKind', {
  values: noticeKindKeys as [NoticeKind, ...NoticeKind[]],
});
