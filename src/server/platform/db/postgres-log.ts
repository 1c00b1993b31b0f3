// Why PostgreSQL isn't running, from what it wrote to its standard error and then to its own log.
import { closeSync, fstatSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

const tailBytes = 1024 * 1024;
const fatal = /\] (?:FATAL|PANIC): {2}(?!the database system is )(.+)$/;
const detail = /\] (?:DETAIL|HINT): {2}(.+)$/;
const noSpace = /No space left on device|could not extend file|free disk space|Disk quota exceeded/;

export const isFullDisk = (text: string): boolean => noSpace.test(text);

const logFolderOf = (data: string): string => join(data, 'log');

function tailOf(file: string): string {
  const descriptor = openSync(file, 'r');
  try {
    const { size } = fstatSync(descriptor);
    const tail = Buffer.alloc(Math.min(size, tailBytes));
    readSync(descriptor, tail, 0, tail.length, size - tail.length);
    return tail.toString('utf8');
  } finally {
    closeSync(descriptor);
  }
}

/** What the newest log says since the start of the process `pid`, or since PostgreSQL last worked. */
function newestLog(data: string, pid?: number): string {
  try {
    const files = readdirSync(logFolderOf(data)).map((name) => join(logFolderOf(data), name));
    const newest = files.toSorted((one, other) => statSync(other).mtimeMs - statSync(one).mtimeMs)[0];
    const text = newest === undefined ? '' : tailOf(newest);
    if (pid === undefined) return text.slice(Math.max(0, text.lastIndexOf('ready to accept connections')));
    const start = text.lastIndexOf(`[${pid}] LOG:  starting PostgreSQL`);
    return start === -1 ? '' : text.slice(start);
  } catch {
    return '';
  }
}

function reasonIn(text: string): string | undefined {
  const lines = text.split('\n');
  const at = lines.findLastIndex((line) => fatal.test(line));
  if (at === -1) return undefined;
  return [fatal.exec(lines[at] ?? '')?.[1], detail.exec(lines[at + 1] ?? '')?.[1]].filter(Boolean).join('. ');
}

/**
 * One line for the operator. `said`: what the process wrote to its standard error; `otherwise`: the reason if
 * it gave none.
 */
export function startFailure(data: string, otherwise: string, said = '', pid?: number): string {
  const text = `${said}\n${newestLog(data, pid)}`;
  const reason = reasonIn(text) ?? otherwise;
  const seeLog = `PostgreSQL’s log is in ${logFolderOf(data)}`;
  return isFullDisk(text)
    ? `The disk of ${dirname(data)} is full (${reason}). Free some space there. ${seeLog}`
    : `PostgreSQL isn’t running: ${reason}. ${seeLog}`;
}
