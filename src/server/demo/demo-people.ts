// The demo company's people with ids, permissions and approvers: the accounts first, then their colleagues.
import { adminRole } from '#core/access/access.ts';
import { type Scope, scopes } from '#core/access/brands.ts';
import { type Permission, permissionKeys, topFivePermission } from '#core/access/permissions.ts';
import { displayName } from '#core/people/people.ts';
import { type DemoAccount, type DemoRole, demoAccounts, demoRoles } from './demo-accounts.ts';
import { type Colleague, colleagues } from './demo-colleagues.ts';
import type { Actor } from './task-story.ts';

export type DemoPerson = Actor & {
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly role: DemoRole | null;
  readonly grants: readonly Permission[];
  readonly team: Scope | null;
  readonly isAccount: boolean;
  readonly invisible: boolean;
  readonly leftSprintsAgo: number | null;
  readonly cameSprintsAgo: number | null;
};

type Draft = Omit<DemoPerson, 'id' | 'name' | 'permissions' | 'approverIds'> & {
  readonly approvers: readonly string[];
};

const demoApprover = 'approver@demo.test';
const admin = 'admin@demo.test';

function asMailName(text: string): string {
  const plain = text
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .replaceAll('ı', 'i');
  return plain.toLowerCase().replace(/[^a-z]+/g, '-');
}

const emailOf = ({ firstName, lastName }: Colleague) => `${asMailName(firstName)}.${asMailName(lastName)}@demo.test`;

function leadOf(team: Scope): string {
  return emailOf(colleagues.find((colleague) => colleague.leads && colleague.team === team)!);
}

/** The team leads are approved by the lead of management, who is approved by the admin. */
function approversOf(colleague: Colleague): string[] {
  if (colleague.leads) return [colleague.team === 'management' ? admin : leadOf('management')];
  const first = colleague.withDemoApprover ? demoApprover : leadOf(colleague.team);
  return colleague.secondApprover ? [first, leadOf(colleague.secondApprover)] : [first];
}

function draftOfColleague(colleague: Colleague): Draft {
  const { firstName, lastName, team } = colleague;
  return {
    email: emailOf(colleague),
    firstName,
    lastName,
    team,
    role: colleague.leads ? 'Team lead' : 'Staff',
    grants: colleague.leads ? [topFivePermission, scopes[team].permission] : [topFivePermission],
    approvers: approversOf(colleague),
    isAccount: false,
    invisible: colleague.invisible ?? false,
    leftSprintsAgo: colleague.leftSprintsAgo ?? null,
    cameSprintsAgo: colleague.cameSprintsAgo ?? null,
  };
}

function draftOfAccount({ can: _, approver, ...account }: DemoAccount): Draft {
  const approvers = approver === null ? [] : [approver];
  return { ...account, approvers, isAccount: true, invisible: false, leftSprintsAgo: null, cameSprintsAgo: null };
}

function permissionsOf({ role, grants }: Draft): readonly Permission[] {
  if (role === adminRole) return permissionKeys;
  return [...new Set([...(role === null ? [] : demoRoles[role]), ...grants])];
}

export function demoPeople(): DemoPerson[] {
  const drafts = [...demoAccounts.map(draftOfAccount), ...colleagues.map(draftOfColleague)];
  const idOf = (email: string) => String(drafts.findIndex((draft) => draft.email === email) + 1);
  return drafts.map(({ approvers, ...draft }, index) => ({
    ...draft,
    id: String(index + 1),
    name: displayName(draft),
    permissions: permissionsOf({ ...draft, approvers }),
    approverIds: approvers.map(idOf),
  }));
}
