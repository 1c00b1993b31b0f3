// Reads the table that was copied by hand from the specification, and says what it expects.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { csvCells } from '../csv-cells.ts';
import type { Held } from './principals.ts';

/** Whose thing a call is about, seen from the caller. */
export const relations = ['own', 'approvee', 'other', 'stranger', 'deleted', 'past'] as const;
export type Relation = (typeof relations)[number];

export const surfaceKinds = ['page', 'navigation', 'rest', 'query', 'mutation', 'subscription'] as const;

export type Surface = {
  readonly kind: (typeof surfaceKinds)[number];
  /** As the table has it: the name, with what it is about in brackets where that decides. */
  readonly name: string;
  /** Without the brackets. */
  readonly call: string;
  readonly about: string | null;
  /** Who may make the call at all. */
  readonly opens: string;
  /** What is asked of the thing that it is about; none if the call isn't about a person's thing. */
  readonly of: ReadonlyMap<Relation, string>;
  readonly takes: readonly string[];
  readonly source: string;
};

export type TypeRow = {
  readonly kind: 'type' | 'input' | 'answer';
  readonly name: string;
  readonly fields: readonly string[];
};

const rowsOf = (file: string): Record<string, string>[] => {
  const [head = [], ...lines] = csvCells(
    readFileSync(join(import.meta.dirname, file), 'utf8').replaceAll('\n', '\r\n'),
  );
  return lines.map((line) => Object.fromEntries(head.map((name, column) => [name, (line[column] ?? '').trim()])));
};

const words = (text: string | undefined): string[] => (text ?? '').split(/\s+/).filter(Boolean);

export const surfaces: readonly Surface[] = rowsOf('spec-matrix.csv').map((row) => {
  const [, call = '', about] = /^([^[]*?)(?:\[(.*)\])?$/.exec(row.surface ?? '') ?? [];
  return {
    kind: row.kind as Surface['kind'],
    name: row.surface ?? '',
    call,
    about: about ?? null,
    opens: row.opens ?? '',
    of: new Map(relations.flatMap((relation) => (row[relation] === '-' ? [] : [[relation, row[relation] ?? '']]))),
    takes: words(row.takes),
    source: row.source ?? '',
  };
});

export const typeRows: readonly TypeRow[] = rowsOf('spec-types.csv').map(({ kind, name, fields }) => ({
  kind: kind as TypeRow['kind'],
  name: name ?? '',
  fields: words(fields),
}));

/** `A | B + C`: A, or both B and C. Blank is nobody; an admin passes all but `nobody`. */
export function holds(rule: string, held: Held): boolean {
  const one = (word: string): boolean => {
    if (word === 'application') return true;
    if (word === 'approver') return held.approved;
    return word !== 'admin' && held.permissions.has(word);
  };
  const text = rule.trim();
  if (text === '' || text === 'nobody') return false;
  if (held.admin) return true;
  return text.split('|').some((all) => all.split('+').every((word) => one(word.trim())));
}

export const permissionsIn = (rule: string): string[] => rule.match(/\b(?:VIEW|READ|USER)_[A-Z0-9_]+/g) ?? [];

/** The first check of all: a role and the application permission. */
export const usesApplication = (held: Held): boolean =>
  held.admin || (held.hasRole && held.permissions.has('VIEW_DASHBOARD'));

/** Why the call is refused whatever it is about, or null. */
export function refusalOfCall(opens: string, held: Held | null): string | null {
  if (opens === 'public') return null;
  if (held === null) return 'NOT_SIGNED_IN';
  if (opens === 'signed in') return null;
  if (!usesApplication(held)) return 'NO_APPLICATION_PERMISSION';
  return holds(opens, held) ? null : 'FORBIDDEN';
}

/** Whether the table lets anyone do it: nobody edits another person's note. */
export const isForSomebody = ({ of }: Surface): boolean =>
  of.size === 0 || [...of.values()].some((rule) => rule.split(';').some((part) => !part.includes('>')));

/**
 * What is expected of a thing in some relation: `ok`, `missing` (answered like a missing thing), or a code.
 * The rule's parts stand in order, `VIEW_TOP_5 > CONFLICT; admin`: who holds the first part gets its code,
 * who holds a part without one succeeds.
 */
export function expectedOf(rule: string, held: Held): string {
  for (const part of rule.split(';')) {
    const [who = '', code] = part.split('>');
    if (holds(who, held)) return code?.trim() ?? 'ok';
  }
  return 'missing';
}
