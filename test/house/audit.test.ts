// Every change of the product leaves a line in the audit log, in the transaction that makes it (T29).
import { expect, it } from 'vitest';
import { taskEventKinds } from '#core/tasks/task.ts';
import { schema } from '#server/schema.ts';
import { isTest, sourcesUnder, wordsOf } from './source.ts';

const reads = 'gives the address of a download and changes nothing';
const ownChoice = 'what a person keeps on the own start page, and nobody else sees';

const ownHours = 'a person’s own hours, of which others see sums: changing and removing them leave a line';

/**
 * What each mutation leaves behind, by the action of the line; in words where it leaves none. A new mutation
 * is a row here.
 */
const linesOf: Readonly<Record<string, readonly [string, ...string[]] | string>> = {
  acknowledgeSignIn: ['signInAcknowledged'],
  addBonusMessage: ['bonusQuestionAsked', 'bonusQuestionAnswered'],
  addNoteToTask: ['taskNoteAdded'],
  addRequirement: ['requirementAdded'],
  addTime: ownHours,
  askForRole: ['roleAsked'],
  carryOver: ['taskCarriedOver'],
  changeMeetingOfDay: ['meetingOfDayChanged'],
  changeSetting: ['settingChanged'],
  changeUsers: ['personChanged', 'personDisabled', 'personEnabled', 'topFiveGiven', 'topFiveTaken'],
  chooseNotices: ['noticesChosen'],
  chooseQuietHours: ['quietHoursChosen'],
  closeWeek: ['weekClosed', 'weekRecapEdited'],
  confirmGuidelines: ['guidelinesConfirmed'],
  createAuditTicket: ['auditExported'],
  createBonusPlan: ['bonusPlanCreated'],
  createBonusTicket: ['bonusExported'],
  createCalendarFeed: ['calendarFeedCreated'],
  createImportReportTicket: reads,
  createMeeting: ['meetingCreated'],
  createPeopleTicket: ['peopleExported'],
  createRole: ['roleCreated'],
  createServiceToken: ['serviceTokenCreated'],
  createTask: ['taskCreated'],
  createToolCard: ['toolCardCreated'],
  createUser: ['personCreated'],
  decideTasks: ['taskApproved', 'taskDenied', 'taskSignedOff', 'taskSentBack'],
  deleteImportMapping: ['importMappingDeleted'],
  declineRole: ['roleDeclined'],
  deleteRole: ['roleDeleted'],
  disconnectIdentity: ['signInDisconnected'],
  editNote: ['taskNoteEdited'],
  editTime: ['timeEntryChanged'],
  endAbsence: ['absenceEnded'],
  endSession: ['sessionsEnded'],
  endUserSessions: ['sessionsEnded'],
  eraseReference: ['referenceErased'],
  exportTicket: ['numbersExported'],
  finishTimeWeek: ['timeWeekFinished'],
  leaveUndone: ['taskLeftUndone'],
  makeSignInLink: ['personInvited', 'passwordLinkMade'],
  markAllNotices: 'a mark that a person has read what they were told',
  markNotices: 'a mark that a person has read what they were told',
  moveToSprint: ['taskMovedToSprint'],
  moveToolCard: ['toolCardMoved'],
  newRecoveryCodes: ['recoveryCodesCreated'],
  orderTasks: ownChoice,
  pinNumber: ownChoice,
  publishGuidelines: ['guidelinesPublished'],
  recordEvidence: ['evidenceRecorded'],
  recordEvidenceForPeople: ['evidenceRecorded'],
  removeAttachmentFromTask: ['taskFileRemoved'],
  removeAuthenticator: ['authenticatorRemoved'],
  removeMeeting: ['meetingRemoved'],
  removeNoteFromTask: ['taskNoteRemoved'],
  removePasskey: ['passkeyRemoved'],
  removeImportSource: ['sourceRemoved'],
  removeSecondFactor: ['passkeyRemoved', 'authenticatorRemoved', 'recoveryCodesRemoved'],
  removeTime: ['timeEntryRemoved'],
  removeToolCard: ['toolCardRemoved'],
  removeWayIn: [
    'sessionsEnded',
    'signInDisconnected',
    'calendarFeedRevoked',
    'serviceTokenRevoked',
    'passwordLinkRevoked',
  ],
  renamePasskey: ['passkeyRenamed'],
  reopenTimeWeek: ['timeWeekReopened'],
  repeatTask: ['taskRepeatSet', 'taskRepeatStopped'],
  resetSecondFactor: ['passkeyRemoved', 'authenticatorRemoved', 'recoveryCodesRemoved'],
  restoreAttachment: ['taskFileRestored'],
  restoreEvidence: ['evidenceRestored'],
  restoreMeeting: ['meetingRestored'],
  restoreNote: ['taskNoteRestored'],
  restoreRequirement: ['requirementRestored'],
  restoreToolCard: ['toolCardRestored'],
  retryMails: ['mailRetried'],
  revokeCalendarFeed: ['calendarFeedRevoked'],
  revokeServiceToken: ['serviceTokenRevoked'],
  saveAbsence: ['absenceSaved'],
  saveImportMapping: ['importMappingSaved'],
  saveRoles: ['roleChanged'],
  seeNotices: 'a mark that a person was shown what they were told',
  setApprovers: ['approversChanged'],
  setDefaultApprover: ['settingChanged'],
  setNumberGoal: ['numberGoalSet'],
  setRetention: ['retentionSet'],
  setToolHealth: ['toolHealthSet'],
  setTop5: ['topFiveGiven', 'topFiveTaken'],
  setUserDisabled: ['personDisabled', 'personEnabled'],
  signOutEverywhere: ['signedOutEverywhere'],
  startTimer: ownHours,
  startViewing: ['viewingStarted'],
  stopImport: ['importStopAsked'],
  stopTimer: ownHours,
  stopViewing: ['viewingStopped'],
  undoDecision: ['taskUndone'],
  undoDecisions: ['taskUndone'],
  undoImport: ['importUndone'],
  undoTaskStep: ['taskCarryOverUndone', 'taskSprintMoveUndone', 'taskReopened', 'taskRestored'],
  undoTaskSteps: ['taskCarryOverUndone', 'taskSprintMoveUndone', 'taskReopened', 'taskRestored'],
  unpinNumber: ownChoice,
  updateEvidence: ['evidenceChanged'],
  updateMeeting: ['meetingChanged'],
  updateRequirement: ['requirementChanged'],
  updateTask: ['taskEdited', 'taskMoved', 'taskResubmitted'],
  updateToolCard: ['toolCardChanged'],
  updateUser: ['personChanged'],
  withdrawEvidence: ['evidenceWithdrawn'],
  withdrawEvidenceOfPeople: ['evidenceWithdrawn'],
  withdrawRequirement: ['requirementWithdrawn'],
  withdrawRoleRequest: ['roleWithdrawn'],
  withdrawTask: ['taskWithdrawn'],
};

const server = sourcesUnder('src/server').filter(({ path }) => !isTest(path) && !path.startsWith('src/server/demo/'));
/** What is written in the server's code, and the lines of a task's events, which are put together. */
const written = new Set([
  ...server.flatMap(wordsOf).map(({ text }) => text),
  ...taskEventKinds.map((event) => `task${event.charAt(0).toUpperCase()}${event.slice(1)}`),
]);

it('no mutation is without its line, or the reason why it leaves none', () => {
  const mutations = Object.keys(schema.getMutationType()?.getFields() ?? {});
  expect(Object.keys(linesOf).sort()).toEqual(mutations.sort());
});

it('every line that a mutation is said to leave is written by the server', () => {
  const said = Object.values(linesOf).flatMap((lines) => (typeof lines === 'string' ? [] : lines));
  expect(said.filter((action) => !written.has(action))).toEqual([]);
});

it('only the audit service and its chain write the tables of the log', () => {
  const writers = /^src\/server\/platform\/audit\/(audit\.service|audit-chain\.store)\.ts$/;
  const naming = /insert\(auditLog\)|(insert into|update|delete from|truncate)\s+audit_(log|chain|unsealed)/i;
  expect(server.filter(({ path, text }) => naming.test(text) && !writers.test(path)).map(({ path }) => path)).toEqual(
    [],
  );
});
