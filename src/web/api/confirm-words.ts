// The descriptions of changes in "Confirm it's you".
const ownAccount = 'This changes who can get into your account.';
/** For calls that ask only when they are made often, or that have no words here. */
const anyChange = 'You’re saving a change that only you should make.';

/** Changes to one's own account, by mutation. */
export const ownChanges: ReadonlySet<string> = new Set([
  'disconnectIdentity',
  'endSession',
  'newRecoveryCodes',
  'removeAuthenticator',
  'removePasskey',
  'renamePasskey',
  'signOutEverywhere',
]);

/** Changes to others and to the product, by mutation. */
export const confirmedChanges: Readonly<Record<string, string>> = {
  acknowledgeSignIn: 'You’re confirming that a new sign-in was you.',
  addBonusMessage: 'You’ve sent many bonus questions or answers.',
  addRequirement: 'You’re adding a requirement.',
  addTime: 'You’re adding time to an earlier week, or to a day with many entries.',
  askForRole: 'You’re requesting a role for someone.',
  changeSetting: 'You’re changing a product setting.',
  changeUsers: 'You’re changing several accounts.',
  changeMeetingOfDay: 'You’ve canceled or moved several meetings within an hour.',
  chooseNotices: 'You’re turning off a notification about your access or time away.',
  closeWeek: 'You’ve changed recaps several times within an hour.',
  confirmGuidelines: 'You’re confirming that you’ve read the guidelines.',
  createBonusPlan: 'You’re changing the bonus plan.',
  createMeeting: 'You’re inviting people to several meetings, or creating one with a link or another chair.',
  createRole: 'You’re creating a role.',
  createServiceToken: 'You’re creating a service token.',
  createCalendarFeed: 'You’re creating a calendar feed.',
  createTask: 'You’ve created many tasks within an hour.',
  createToolCard: 'You’re adding a tool.',
  removeImportSource: 'You’re removing a source and all its rows.',
  eraseReference: 'You’re erasing a customer or donor from the numbers.',
  setRetention: 'You’re changing how long imported rows are kept.',
  createUser: 'You’re creating an account.',
  deleteImportMapping: 'You’re deleting a mapping.',
  declineRole: 'You’re declining a role that was requested for someone.',
  deleteRole: 'You’re deleting a role.',
  editNote: 'You’ve edited many notes within an hour.',
  editTime: 'You’re editing time in an earlier week, or on a day with many entries.',
  endAbsence: 'You’re deleting several times away, or changing who decides while someone is away.',
  endUserSessions: 'You’re signing someone out.',
  finishTimeWeek: 'You’re marking an earlier week as final.',
  leaveUndone: 'You’ve left many tasks undone within an hour.',
  makeSignInLink: 'You’re creating a link that sets someone’s password.',
  publishGuidelines: 'You’re publishing guidelines.',
  removeAttachmentFromTask: 'You’ve removed several files within an hour.',
  removeMeeting: 'You’ve removed several meetings within an hour.',
  removeNoteFromTask: 'You’ve removed several notes within an hour.',
  removeSecondFactor: 'You’re removing a second step from someone’s account.',
  removeTime: 'You’re removing time from an earlier week.',
  removeToolCard: 'You’ve removed several tools within an hour.',
  reopenTimeWeek: 'You’re reopening an earlier week.',
  removeWayIn: 'This changes who can get into someone’s account.',
  resetSecondFactor: 'You’re resetting someone’s two-step sign-in.',
  restoreMeeting: 'You’re restoring a meeting.',
  restoreRequirement: 'You’re restoring a requirement.',
  restoreToolCard: 'You’re restoring a tool.',
  revokeServiceToken: 'You’re revoking another admin’s service token.',
  repeatTask: 'Many of your tasks repeat, or you’ve changed several within an hour.',
  saveAbsence: 'You’re planning or changing a lot of time away, or who decides while someone is away.',
  saveImportMapping: 'You’re saving a mapping for imports.',
  saveRoles: 'You’re changing roles.',
  setApprovers: 'You’re changing who approves tasks.',
  setDefaultApprover: 'You’re changing who approves tasks.',
  setToolHealth: 'You’re adding a link to a tool.',
  setNumberGoal: 'You’ve set many goals within an hour.',
  setTop5: 'You’re changing who uses S.T.A.R.T.',
  setUserDisabled: 'You’re disabling or enabling someone’s account.',
  startTimer: 'You’re adding time to a day with many entries.',
  stopImport: 'You’re stopping someone else’s import, or a removal.',
  stopTimer: 'You’ve changed many time entries within an hour.',
  undoTaskSteps: 'You’ve undone many steps of this task.',
  undoImport: 'You’re undoing an import.',
  updateMeeting: 'You’re changing several meetings, or adding a link, people or a chair to one.',
  updateRequirement: 'You’re changing a requirement.',
  updateToolCard: 'You’re changing a tool.',
  updateUser: 'You’re changing someone’s account.',
  withdrawEvidence: 'You’re withdrawing several pieces of evidence within an hour.',
  withdrawEvidenceOfPeople: 'You’re withdrawing several pieces of evidence within an hour.',
  withdrawRequirement: 'You’re withdrawing a requirement.',
  withdrawTask: 'You’ve withdrawn many tasks within an hour.',
};

/** What changes with a role. */
const roleChanges: Readonly<Record<string, (role: string) => string>> = {
  createUser: (role) => `You’re creating an account with the role ${role}.`,
  updateUser: (role) => `You’re giving someone the role ${role}.`,
};

/** `name`: the mutation, or undefined for a change to one's own account. */
export function confirmWords(name: string | undefined, role?: string): string {
  const withRole = name && role ? roleChanges[name] : undefined;
  if (role && withRole) return withRole(role);
  if (name === 'importPeople') return 'You’re importing people.';
  if (name === 'importRows')
    return 'Your other import is still running, or this one could make your oldest imports impossible to undo.';
  if (name === undefined || ownChanges.has(name)) return ownAccount;
  return (Object.hasOwn(confirmedChanges, name) && confirmedChanges[name]) || anyChange;
}

/** A mutation's first field: the API's name of the action. */
export const mutationName = (query: string): string | undefined => /^mutation[^{]*\{\s*(\w+)/.exec(query)?.[1];
