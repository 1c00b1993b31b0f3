// The demo company's people with ids, permissions and approvers: the accounts first, then their colleagues.
import { adminRole } from '#core/access/access.ts';
import { type Scope, scopes } from '#core/access/brands.ts';
import { type Permission, permissionKeys, topFivePermission } from '#core/access/permissions.ts';
import { displayName } from '#core/people/people.ts';
import { type DemoAccount, type DemoRole, demoAccounts, demoRoles } from './demo-accounts.ts';
import type { Actor } from './task-story.ts';

// The demo company's forty people without a demo account: names, teams and leads.

type Colleague = {
  readonly firstName: string;
  readonly lastName: string;
  readonly team: Scope;
  /** Leads approve the tasks of their team. */
  readonly leads?: true;
  /** Approved by approver@demo.test instead of the team's lead. */
  readonly withDemoApprover?: true;
  /** Approved by a second lead besides the first. */
  readonly secondApprover?: Scope;
  readonly invisible?: true;
  /** Left the company this many sprints ago; the account is disabled. */
  readonly leftSprintsAgo?: number;
  /** Joined this many sprints ago; everyone else was there before the first. */
  readonly cameSprintsAgo?: number;
};

const colleagues: readonly Colleague[] = [
  { firstName: 'Hannah', lastName: 'Okonkwo', team: 'connect', leads: true },
  { firstName: 'Daniel', lastName: 'Kovač', team: 'connect', withDemoApprover: true },
  { firstName: 'Mei', lastName: 'Tanaka', team: 'connect', withDemoApprover: true },
  { firstName: 'Rafael', lastName: 'Moreno', team: 'connect', withDemoApprover: true },
  { firstName: 'Aisha', lastName: 'Rahman', team: 'connect', withDemoApprover: true },
  { firstName: 'Jonas', lastName: 'Berger', team: 'connect' },
  { firstName: 'Sofia', lastName: 'Papadaki', team: 'connect', secondApprover: 'green' },
  { firstName: 'Kwame', lastName: 'Boateng', team: 'connect', cameSprintsAgo: 11 },
  { firstName: 'Elif', lastName: 'Yıldız', team: 'arcade', leads: true },
  { firstName: 'Lucas', lastName: 'Fournier', team: 'arcade' },
  { firstName: 'Nadia', lastName: 'Petrova', team: 'arcade' },
  { firstName: 'Arjun', lastName: 'Mehta', team: 'arcade' },
  { firstName: 'Camille', lastName: 'Lefèvre', team: 'arcade', secondApprover: 'codex' },
  { firstName: 'Diego', lastName: 'Salazar', team: 'arcade', leftSprintsAgo: 6 },
  { firstName: 'Yuki', lastName: 'Mori', team: 'arcade', cameSprintsAgo: 5 },
  { firstName: 'Samuel', lastName: 'Brandt', team: 'codex', leads: true },
  { firstName: 'Fatima', lastName: 'El-Sayed', team: 'codex' },
  { firstName: 'Oliver', lastName: 'Nyström', team: 'codex' },
  { firstName: 'Zainab', lastName: 'Hussein', team: 'codex' },
  { firstName: 'Piotr', lastName: 'Wiśniewski', team: 'codex' },
  { firstName: 'Beatriz', lastName: 'Carvalho', team: 'codex' },
  { firstName: 'Henrik', lastName: 'Dahl', team: 'codex', cameSprintsAgo: 18 },
  { firstName: 'Amara', lastName: 'Diallo', team: 'green', leads: true },
  { firstName: 'Viktor', lastName: 'Novák', team: 'green', withDemoApprover: true },
  { firstName: 'Leila', lastName: 'Farahani', team: 'green', withDemoApprover: true },
  { firstName: 'Thomas', lastName: 'Gallagher', team: 'green' },
  { firstName: 'Ines', lastName: 'Marković', team: 'green' },
  { firstName: 'Mateo', lastName: 'Ríos', team: 'green' },
  { firstName: 'Anneke', lastName: 'de Vries', team: 'green' },
  { firstName: 'Ruth', lastName: 'Abramov', team: 'give', leads: true },
  { firstName: 'Ibrahim', lastName: 'Kone', team: 'give' },
  { firstName: 'Clara', lastName: 'Jensen', team: 'give' },
  { firstName: 'Min-jun', lastName: 'Park', team: 'give' },
  { firstName: 'Gabriela', lastName: 'Torres', team: 'give', secondApprover: 'management' },
  { firstName: 'Finn', lastName: "O'Connor", team: 'give' },
  { firstName: 'Vera', lastName: 'Castellano', team: 'management', leads: true },
  { firstName: 'Stefan', lastName: 'Ionescu', team: 'management' },
  { firstName: 'Noor', lastName: 'van Dijk', team: 'management' },
  { firstName: 'Edward', lastName: 'Ashworth', team: 'management', invisible: true },
  { firstName: 'Dalia', lastName: 'Haddad', team: 'management' },
];

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
