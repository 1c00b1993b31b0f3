// Reads a mapping file and reports its errors in one line.
import { readFile } from 'node:fs/promises';
import type * as z from 'zod';
import { ImportError } from './import-error.ts';

export async function readMapping<Mapping>(file: string, schema: z.ZodType<Mapping>): Promise<Mapping> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new ImportError(
      error.code === 'ENOENT' ? `Mapping file not found: ${file}` : `${file} cannot be read: ${error.message}`,
    );
  });
  return checkMapping(file, parseJson(file, text), schema);
}

/** The valid mapping, or all its errors in one line. */
export function checkMapping<Mapping>(name: string, given: unknown, schema: z.ZodType<Mapping>): Mapping {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  throw new ImportError(`The mapping ${name} has errors: ${parsed.error.issues.map(inWords).join('; ')}`);
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
    return `${place} has ${issue.keys.map((key) => `"${key}"`).join(', ')}, which is not known here`;
  if (issue.code === 'invalid_type' && issue.input === undefined) return `${place} is missing`;
  if (issue.code === 'invalid_type') return `${place} must be given as ${issue.expected}`;
  if (issue.code === 'invalid_value')
    return `${place} must be ${issue.values.map((value) => JSON.stringify(value)).join(' or ')}`;
  return `${place} ${issue.message}`;
}
