// Parses one row of an export as a task, or collects all its errors.
import { defaultCategory, isCategory } from '#core/access/brands.ts';
import { limits } from '#core/base/limits.ts';
import { oneLine } from '#core/base/one-line.ts';
import { safeFileName } from '#core/tasks/files.ts';
import { type Span, sprintAfter, sprintAt } from '#core/tasks/sprint.ts';
import { isTaskStatus, type TaskStatus } from '#core/tasks/task-status.ts';
import { find, isBlank, plainReading, type Reading } from '#server/platform/imports/find-value.ts';
import type { Fault } from '#server/platform/imports/import-error.ts';
import { readInstant, storedInstant } from '#server/platform/imports/instants.ts';
import type { Found, Row, Rule } from '#server/platform/imports/mapping-rules.ts';
import type { ListPath, TasksMapping } from './tasks-mapping.ts';

export type ImportedNote = { author: string | null; text: string; at: string; editedAt: string | null };
export type ImportedAttachment = { author: string | null; fileName: string; at: string; size: number; mime: string };
export type ImportedMove = {
  author: string | null;
  at: string;
  from: TaskStatus;
  to: TaskStatus;
  change: string | null;
};

/** People are the source's names, instants the database's text format. */
export type ImportedTask = {
  readonly externalId: string;
  readonly title: string;
  readonly summary: string;
  readonly category: string;
  readonly change: string;
  readonly reason: string | null;
  readonly status: TaskStatus;
  readonly statusAt: string;
  readonly owner: string;
  readonly creator: string;
  readonly createdAt: string;
  readonly week: Span;
  readonly notes: readonly ImportedNote[];
  readonly attachments: readonly ImportedAttachment[];
  readonly history: readonly ImportedMove[];
  /** The reason for each part of the row that was left out. */
  readonly leftOut: readonly string[];
};

export type ReadingTime = { readonly now: Temporal.Instant; readonly zone: string };

const longestName = 200;
const longestId = 200;

/** Parses fields and collects errors; an invalid field returns a placeholder that is never used. */
class RowReader {
  readonly faults: Fault[] = [];
  /** The reason for each part of the row that was left out. */
  readonly leftOut: string[] = [];
  readonly #time: ReadingTime;
  readonly #reading: Reading;

  constructor(time: ReadingTime) {
    this.#time = time;
    this.#reading = { ...plainReading, zone: time.zone };
  }

  /** Applies a rule without reporting its error. */
  look(rule: Rule, row: Row): Found {
    return find(rule, row, this.#reading);
  }

  /** A column used by two fields is reported once. */
  refuse(column: string, reason: string): void {
    if (this.faults.some((fault) => fault.column === column && fault.reason === reason)) return;
    this.faults.push({ column, reason });
  }

  find(rule: Rule | undefined, row: Row, where: string): Found {
    if (rule === undefined) return { value: undefined, column: where };
    const found = this.look(rule, row);
    const column = where + found.column;
    if (found.fault) this.refuse(column, found.fault);
    return { ...found, column };
  }

  text(rule: Rule | undefined, row: Row, longest: number, where = ''): string {
    const { value, column, fault } = this.find(rule, row, where);
    if (fault || value === undefined || value === null) return '';
    if (typeof value === 'object') return this.#nothing(column, 'is not text');
    const text = String(value);
    if (text.includes('\0')) return this.#nothing(column, 'contains NUL, which can’t be stored');
    if (!text.isWellFormed()) return this.#nothing(column, 'contains half of a surrogate pair, which can’t be stored');
    if (text.length > longest) return this.#nothing(column, `has ${text.length} characters, the limit is ${longest}`);
    return text;
  }

  filled(rule: Rule, row: Row, longest: number, where = '', clean = (text: string) => text.trim()): string {
    const before = this.faults.length;
    const text = clean(this.text(rule, row, longest, where));
    if (text === '' && this.faults.length === before) this.refuse(where + this.look(rule, row).column, 'is blank');
    return text;
  }

  /** Not in the future: a source can't know that. */
  instant(rule: Rule, row: Row, where = ''): Temporal.Instant {
    const instant = this.anyInstant(rule, row, where);
    if (Temporal.Instant.compare(instant, this.#time.now) > 0)
      this.refuse(where + this.look(rule, row).column, 'is in the future');
    return instant;
  }

  anyInstant(rule: Rule, row: Row, where = ''): Temporal.Instant {
    const { value, column, fault } = this.find(rule, row, where);
    if (fault) return this.#time.now;
    const instant = isBlank(value) ? null : readInstant(value, this.#time.zone);
    if (instant === null)
      this.refuse(column, isBlank(value) ? 'is blank' : `isn’t a date: ${JSON.stringify(value).slice(0, 60)}`);
    return instant ?? this.#time.now;
  }

  status(rule: Rule, row: Row): TaskStatus {
    const { value, column, fault } = this.find(rule, row, '');
    const status = String(value);
    if (isTaskStatus(status)) return status;
    if (!fault) this.refuse(column, `has ${JSON.stringify(value)}, which isn’t a status`);
    return 'INAPPROVAL';
  }

  /**
   * A list's items with their path for errors; empty for a row without the list. Items of a list inside a
   * list also have the columns of the item around them, and that item itself as `^`.
   */
  items(each: ListPath, row: Row): (readonly [Row, string])[] {
    const [first, ...inner] = typeof each === 'string' ? [each] : each;
    return inner.reduce(
      (outer, column) =>
        outer.flatMap(([around, where]) =>
          this.#itemsOf(column, around, where).map(([item, place]): readonly [Row, string] => [
            { ...around, ...item, '^': around },
            place,
          ]),
        ),
      this.#itemsOf(first!, row, ''),
    );
  }

  #itemsOf(column: string, row: Row, where: string): (readonly [Row, string])[] {
    const { value } = this.look(column, row);
    if (isBlank(value)) return [];
    if (!Array.isArray(value)) return this.#nothing(where + column, 'is not a list', []);
    return value.flatMap((item: unknown, index): (readonly [Row, string])[] => {
      const place = `${where}${column}[${index}]`;
      if (typeof item === 'object' && item !== null) return [[item as Row, `${place}.`]];
      this.refuse(place, 'is not an object');
      return [];
    });
  }

  #nothing<Value = string>(column: string, reason: string, value: Value = '' as Value): Value {
    this.refuse(column, reason);
    return value;
  }
}

export function readTask(row: Row, mapping: TasksMapping, time: ReadingTime): ImportedTask | readonly Fault[] {
  const reader = new RowReader(time);
  const { fields } = mapping;
  const created = reader.instant(fields.created, row);
  const owner = reader.filled(fields.owner, row, longestName);
  const status = reader.status(fields.status, row);
  const task: ImportedTask = {
    externalId: reader.filled(fields.id, row, longestId),
    title: reader.filled(fields.title, row, limits.title, '', oneLine),
    summary: reader.text(fields.summary, row, limits.summary),
    category: readCategory(reader, fields.category, row),
    change: reader.text(fields.change, row, limits.change),
    reason: (status === 'DENIED' && reader.text(fields.reason, row, limits.change)) || null,
    status,
    statusAt: storedInstant(fields.statusAt === undefined ? created : reader.instant(fields.statusAt, row)),
    owner,
    creator: reader.text(fields.creator, row, longestName).trim() || owner,
    createdAt: storedInstant(created),
    week: readWeek(reader, fields.sprint, row, time),
    notes: readNotes(reader, mapping, row),
    attachments: readAttachments(reader, mapping, row),
    history: readHistory(reader, mapping, row),
    leftOut: reader.leftOut,
  };
  return reader.faults.length > 0 ? reader.faults : task;
}

function readCategory(reader: RowReader, rule: Rule | undefined, row: Row): string {
  const text = reader.text(rule, row, limits.title) || defaultCategory;
  if (!isCategory(text))
    reader.refuse(reader.find(rule, row, '').column, `has ${JSON.stringify(text)}, which isn’t a category`);
  return text;
}

/** Weeks after the next one don't exist yet, and creating one early would leave a gap (D27). */
function readWeek(reader: RowReader, rule: Rule, row: Row, { now, zone }: ReadingTime): Span {
  const week = sprintAt(reader.anyInstant(rule, row), zone);
  const next = sprintAfter(sprintAt(now, zone), zone);
  if (Temporal.Instant.compare(week.start, next.start) > 0)
    reader.refuse(reader.look(rule, row).column, 'is after the next sprint');
  return week;
}

/** Skips empty comments, because a note can't be blank. */
function readNotes(reader: RowReader, { notes }: TasksMapping, row: Row): ImportedNote[] {
  if (!notes) return [];
  const { author, text, at, edited } = notes.fields;
  return reader
    .items(notes.each, row)
    .map(([item, where]) => ({
      author: reader.text(author, item, longestName, where).trim() || null,
      text: reader.text(text, item, limits.note, where),
      at: storedInstant(reader.instant(at, item, where)),
      editedAt:
        edited === undefined || isBlank(reader.look(edited, item).value)
          ? null
          : storedInstant(reader.instant(edited, item, where)),
    }))
    .filter((note) => {
      const isKept = note.text.trim() !== '';
      if (!isKept) reader.leftOut.push('notes: without text');
      return isKept;
    });
}

function readAttachments(reader: RowReader, { attachments }: TasksMapping, row: Row): ImportedAttachment[] {
  if (!attachments) return [];
  const { author, fileName, at, size, type } = attachments.fields;
  return reader.items(attachments.each, row).map(([item, where]) => ({
    author: reader.text(author, item, longestName, where).trim() || null,
    fileName: safeFileName(reader.filled(fileName, item, limits.title, where)),
    at: storedInstant(reader.instant(at, item, where)),
    size: readSize(reader, size, item, where),
    mime: reader.text(type, item, longestName, where).trim() || 'application/octet-stream',
  }));
}

function readSize(reader: RowReader, rule: Rule | undefined, item: Row, where: string): number {
  const { value, column } = reader.find(rule, item, where);
  const size = isBlank(value) ? 0 : Number(value);
  if (Number.isSafeInteger(size) && size >= 0) return size;
  reader.refuse(column, 'isn’t a number of bytes');
  return 0;
}

function readHistory(reader: RowReader, { history }: TasksMapping, row: Row): ImportedMove[] {
  if (!history) return [];
  const { author, at, from, to, change } = history.fields;
  return reader.items(history.each, row).flatMap(([item, where]) => {
    const [before, after] = [statusOrReason(reader.look(from, item)), statusOrReason(reader.look(to, item))];
    if (!('status' in before) || !('status' in after)) {
      reader.leftOut.push(`history: ${'reason' in before ? before.reason : 'reason' in after ? after.reason : ''}`);
      return [];
    }
    return {
      author: reader.text(author, item, longestName, where).trim() || null,
      at: storedInstant(reader.instant(at, item, where)),
      from: before.status,
      to: after.status,
      change: reader.text(change, item, limits.change, where) || null,
    };
  });
}

function statusOrReason({ value, fault, column }: Found): { status: TaskStatus } | { reason: string } {
  if (fault !== undefined) return { reason: `${column} ${fault}` };
  const status = String(value ?? '');
  if (isTaskStatus(status)) return { status };
  return {
    reason: status === '' ? `${column} has no status` : `${column} has ${JSON.stringify(status)}, which isn’t a status`,
  };
}
