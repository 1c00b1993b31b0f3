// The descriptions of changes in "Confirm it's you".
const ownAccount = 'This changes who can get into your account.';

/** Changes to others and to the product, by mutation. */
export const confirmedChanges: Readonly<Record<string, string>> = {
  acknowledgeSignIn: 'You’re saying that a new sign-in was you.',
  changeSetting: 'You’re changing a setting of the product.',
  changeUsers: 'You’re changing several accounts.',
  createRole: 'You’re creating a role.',
  createServiceToken: 'You’re creating a service token.',
  createCalendarFeed: 'You’re creating a calendar feed.',
  createToolCard: 'You’re adding a tool.',
  createUser: 'You’re creating an account.',
  deleteRole: 'You’re deleting a role.',
  endUserSessions: 'You’re signing someone out.',
  makeSignInLink: 'You’re creating a link that sets someone’s password.',
  removeSecondFactor: 'You’re removing a second step from someone’s account.',
  removeWayIn: 'You’re removing a way to sign in to someone’s account.',
  resetSecondFactor: 'You’re resetting someone’s second step.',
  saveRoles: 'You’re changing what roles can open.',
  setApprovers: 'You’re changing who approves tasks.',
  setDefaultApprover: 'You’re changing who approves tasks.',
  setTop5: 'You’re changing who keeps tasks.',
  setUserDisabled: 'You’re disabling or enabling someone’s account.',
  updateToolCard: 'You’re changing a tool’s link.',
  updateUser: 'You’re changing someone’s account.',
};

/** `name`: the mutation, or undefined for a change to one's own account. */
export function confirmWords(name: string | undefined): string {
  if (name === 'importPeople') return 'You’re importing people.';
  return (name && Object.hasOwn(confirmedChanges, name) && confirmedChanges[name]) || ownAccount;
}

/** A mutation's first field: the API's name of the action. */
export const mutationName = (query: string): string | undefined => /^mutation[^{]*\{\s*(\w+)/.exec(query)?.[1];
