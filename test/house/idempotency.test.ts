// A call whose answer was lost is sent again. For every mutation it is said here why that makes nothing
// twice.
import { expect, it } from 'vitest';
import { schema } from '#server/schema.ts';
import { callsWithKey, upload } from './keyed-calls.ts';

/** It takes an `Idempotency-Key`: it makes something, or counts from the current state. */
const key = 'key';
/** It must name the version that the caller saw, which is another one the second time. */
const version = 'version';

/** In any other words: why the second time finds nothing left to do. A new mutation is a row here. */
const sentTwice: Readonly<Record<string, string>> = {
  acknowledgeSignIn: 'it is answered already',
  addBonusMessage: key,
  addNoteToTask: key,
  addRequirement: key,
  addTime: key,
  askForRole: 'the admins were told of this person already',
  carryOver: 'the task is in the running sprint then, from which nothing is carried over',
  changeMeetingOfDay: version,
  changeSetting: 'the setting has the value already',
  changeUsers: 'each person is named with the version that the caller saw',
  chooseNotices: 'the choice is made already',
  chooseQuietHours: 'the choice is made already',
  closeWeek: 'the recap has the text already',
  confirmGuidelines: 'the first confirmation counts',
  createAuditTicket: 'an address that is good once and for a minute; nothing is kept of one that nobody opens',
  createBonusPlan: key,
  createBonusTicket: 'an address that is good once and for a minute; nothing is kept of one that nobody opens',
  createCalendarFeed: 'the new address ends the one before it: there is one',
  createImportReportTicket: 'an address that is good once and for a minute; nothing is kept of one that nobody opens',
  createMeeting: key,
  createPeopleTicket: 'an address that is good once and for a minute; nothing is kept of one that nobody opens',
  createRole: key,
  createServiceToken: key,
  createTask: key,
  createToolCard: key,
  createUser: key,
  decideTasks: 'a decided task waits for no decision of this kind',
  deleteImportMapping: 'it is gone already',
  declineRole: 'the request is answered already',
  deleteRole: version,
  disconnectIdentity: 'it is unlinked already',
  editNote: 'the note has the text already',
  editTime: 'the entry has these times already',
  endAbsence: 'it has ended already, or is gone',
  endSession: 'it has ended already',
  endUserSessions: 'they have ended already',
  eraseReference: 'it is erased already, or is being erased',
  exportTicket: 'an address that is good once and for a minute; nothing is kept of one that nobody opens',
  finishTimeWeek: 'it is finished already',
  leaveUndone: 'it is left undone already',
  makeSignInLink: 'the new link ends the one before it: there is one',
  markAllNotices: 'they are read already',
  markNotices: 'they are marked already',
  moveToSprint: 'it is in that sprint already',
  moveToolCard: key,
  newRecoveryCodes: 'the ten codes of the second time end those of the first',
  orderTasks: 'the tasks have this order already',
  pinNumber: 'it is pinned already',
  publishGuidelines: key,
  recordEvidence: key,
  recordEvidenceForPeople: key,
  removeAttachmentFromTask: key,
  removeAuthenticator: 'it is gone already',
  removeMeeting: version,
  removeNoteFromTask: key,
  removePasskey: 'it is gone already',
  removeImportSource: 'its rows are gone already, or are being removed',
  removeSecondFactor: 'it is gone already',
  removeTime: 'it is gone already',
  removeToolCard: 'it is gone already',
  removeWayIn: 'it is gone already',
  renamePasskey: 'it has the name already',
  reopenTimeWeek: 'it is open already',
  repeatTask: 'it repeats so already',
  resetSecondFactor: 'they are gone already',
  restoreAttachment: 'it is there already',
  restoreEvidence: 'it is there already',
  restoreMeeting: 'it is there already',
  restoreNote: 'it is there already',
  restoreRequirement: 'it is there already',
  restoreToolCard: 'it is there already',
  retryMails: 'it is due already',
  revokeCalendarFeed: 'it has ended already',
  revokeServiceToken: 'already revoked',
  saveAbsence: 'the same absence exists already',
  setRetention: 'it keeps so many months already',
  saveImportMapping: 'the mapping of the name says so already',
  saveRoles: 'what was looked at is not what it would do any more',
  seeNotices: 'they are seen already',
  setApprovers: 'they have these approvers already',
  setDefaultApprover: 'the setting has the value already',
  setNumberGoal: 'the month has the goal already',
  setToolHealth: 'it has the health already',
  setTop5: 'the switch stands there already',
  setUserDisabled: 'the account is so already',
  signOutEverywhere: 'the token that asked has ended already',
  startTimer: 'the timer of the task runs already',
  startViewing: key,
  stopImport: 'it was asked to stop already, or has ended',
  stopTimer: 'no timer runs',
  stopViewing: 'the look is over already',
  undoDecision: 'the last line of the history is no decision then',
  undoDecisions: 'the last lines of the histories are no decisions then',
  undoImport: 'it was undone already, or is being undone',
  undoTaskStep: 'the last line of the history is no such step then',
  undoTaskSteps: 'the last lines of the histories are no such steps then',
  unpinNumber: 'it is not pinned any more',
  updateEvidence: version,
  updateMeeting: version,
  updateRequirement: version,
  updateTask: 'the task has the content and the status already',
  updateToolCard: 'the card has the content already',
  updateUser: version,
  withdrawEvidence: 'it is withdrawn already',
  withdrawEvidenceOfPeople: 'it is withdrawn already',
  withdrawRequirement: 'it is withdrawn already',
  withdrawRoleRequest: 'it is withdrawn already',
  withdrawTask: 'it is withdrawn already',
};

const fields = schema.getMutationType()?.getFields() ?? {};
const namesOf = (reason: string) => Object.keys(sentTwice).filter((name) => sentTwice[name] === reason);

it('of every mutation it is said what happens when it is sent twice', () => {
  expect(Object.keys(sentTwice).sort()).toEqual(Object.keys(fields).sort());
});

it('those that take a key are those whose code asks for it, and each asks under its own name', () => {
  expect(callsWithKey()).toEqual([...namesOf(key), upload].sort());
});

it('those that go by the version must be told one', () => {
  const optional = namesOf(version).filter((name) => {
    const argument = fields[name]?.args.find((candidate) => candidate.name === 'version');
    return argument?.type.toString().endsWith('!') !== true;
  });
  expect(optional).toEqual([]);
});
