// Connects the hooks of lower areas. Called before anything runs; idempotent.

import { accessHook } from '#server/access/access-hook.ts';
import { waysInHook } from '#server/access/account/ways-in-hook.ts';
import { ownedTools } from '#server/admin/tools/tool-cards.service.ts';
import { notifyOfAbsence, notifyOfDelegates } from '#server/notifications/absence-notices.ts';
import { notifyAccessChanges, notifyRoleAnswer, notifyRoleRequest } from '#server/notifications/access-notices.ts';
import { notifyAccountChange } from '#server/notifications/account-notices.ts';
import { notifyAnswer, notifyQuestion } from '#server/notifications/bonus-notices.ts';
import { notifyOfMeeting } from '#server/notifications/meeting-notices.ts';
import { hideNoted, nameTypedMentions, notifyOfNote, showNoted } from '#server/notifications/note-notices.ts';
import { notifyOfRecap, updateRecapNotice } from '#server/notifications/recap-notices.ts';
import { decisionNotices, notifyOwner } from '#server/notifications/task-notices.ts';
import { revokeTokensOf, tokensOf } from '#server/numbers/import/service-tokens.service.ts';
import { absenceHook } from '#server/people/absence-hook.ts';
import { leftWithout } from '#server/people/account-ties.ts';
import { accountTiesHook } from '#server/people/account-ties-hook.ts';
import { answerGivenRole } from '#server/people/role-requests.service.ts';
import { openWorkOf } from '#server/tasks/open-work.ts';
import { taskHook } from '#server/tasks/task-hook.ts';
import { freezeStatements } from '#server/toolbox/bonus/bonus-freeze.service.ts';
import { bonusHook } from '#server/toolbox/bonus/bonus-hook.ts';
import { feedsOf, revokeFeedsOf } from '#server/toolbox/schedule/calendar-feeds.service.ts';
import { meetingHook } from '#server/toolbox/schedule/meeting-hook.ts';
import { chairedMeetings } from '#server/toolbox/schedule/meetings.service.ts';

export function connectAreas(): void {
  accessHook.connect({
    accessChanged: notifyAccessChanges,
    accountChanged: notifyAccountChange,
    roleAsked: notifyRoleRequest,
    roleAnswered: notifyRoleAnswer,
    roleGiven: answerGivenRole,
    leftWithoutApprover: leftWithout,
  });
  waysInHook.connect({
    calendarFeeds: { list: feedsOf, revoke: revokeFeedsOf },
    serviceTokens: { list: tokensOf, revoke: revokeTokensOf },
  });
  absenceHook.connect({ absenceChanged: notifyOfAbsence, delegatesChanged: notifyOfDelegates });
  accountTiesHook.connect({ openWork: openWorkOf, chairedMeetings, ownedTools });
  taskHook.connect({
    taskChanged: decisionNotices,
    taskCreated: notifyOwner,
    nameMentions: nameTypedMentions,
    noteWritten: notifyOfNote,
    noteRemoved: hideNoted,
    noteRestored: showNoted,
    weekClosed: notifyOfRecap,
    recapEdited: updateRecapNotice,
    sprintSettled: freezeStatements,
  });
  bonusHook.connect({ asked: notifyQuestion, answered: notifyAnswer });
  meetingHook.connect({ meetingChanged: notifyOfMeeting });
}
