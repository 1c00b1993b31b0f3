// The demo company's forty people without a demo account: names, teams and leads.
import type { Scope } from '#core/access/brands.ts';

export type Colleague = {
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

export const colleagues: readonly Colleague[] = [
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
