// Reads a mapping file and reports its errors in one line.
import { readFile } from 'node:fs/promises';
import type * as z from 'zod';
import { typeWords } from '#core/base/inputs.ts';
import { ImportError } from './import-error.ts';

export async function readMapping<Mapping>(file: string, schema: z.ZodType<Mapping>): Promise<Mapping> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new ImportError(
      error.code === 'ENOENT' ? `Mapping file not found: ${file}` : `${file} cannot be read: ${error.message}`,
    );
  });
  return checkMapping(file, parseJson(file, text), schema);
}

/** The valid mapping, or all its errors in one line. `name` is empty for one that is being edited. */
export function checkMapping<Mapping>(name: string, given: unknown, schema: z.ZodType<Mapping>): Mapping {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  throw new ImportError(`The mapping${name && ` ${name}`} has errors: ${parsed.error.issues.map(inWords).join('; ')}`);
}

/** Whether the texts and parts of a value have more; it can nest deeper than the stack. */
export function hasMoreCharacters(given: unknown, most: number): boolean {
  const left = [given];
  let characters = 0;
  while (left.length > 0 && characters <= most) {
    const value = left.pop();
    characters += typeof value === 'string' ? value.length + 1 : 1;
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, part] of Object.entries(value)) {
      left.push(part);
      if (!Array.isArray(value)) characters += name.length;
    }
  }
  return characters > most;
}

export function parseJson(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ImportError(`The mapping ${file} is not JSON: ${(error as Error).message}`);
  }
}

function inWords(issue: z.core.$ZodIssue): string {
  const place = issue.path.join('.') || 'the file';
  if (issue.code === 'unrecognized_keys')
    return `${place} has ${issue.keys.map((key) => `"${key}"`).join(', ')}, which isn’t a known field`;
  if (issue.code === 'invalid_type' && issue.input === undefined) return `${place} is missing`;
  if (issue.code === 'invalid_type') return `${place} must be ${typeWords(issue.expected)}`;
  if (issue.code === 'invalid_value')
    return `${place} must be ${issue.values.map((value) => JSON.stringify(value)).join(' or ')}`;
  if (isOwnSize(issue)) return `${place} ${sizeWords(issue)}`;
  return `${place} ${issue.message}`;
}

type SizeIssue = z.core.$ZodIssueTooBig | z.core.$ZodIssueTooSmall;

/** Without words of ours: the library's are for programmers. */
const isOwnSize = (issue: z.core.$ZodIssue): issue is SizeIssue => /^Too (big|small): /.test(issue.message);

function sizeWords(issue: SizeIssue): string {
  const isBig = issue.code === 'too_big';
  const limit = isBig ? issue.maximum : issue.minimum;
  const nouns: Readonly<Record<string, string>> = { array: 'items', string: 'characters' };
  const noun = nouns[issue.origin];
  if (noun === undefined) return `must be ${limit} or ${isBig ? 'less' : 'more'}`;
  if (!isBig && limit === 1) return 'must not be empty';
  return `must have ${limit} or ${isBig ? 'fewer' : 'more'} ${noun}`;
}
