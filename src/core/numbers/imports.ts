// Decides who may take rows of numbers in, and what comes in with an import.
// Asked by the import's routes and fields, and by the wizard.
import * as z from 'zod/mini';
import { can, type Viewer } from '../access/access.ts';
import { callAccess, callRefusal } from '../access/call-access.ts';
import { guardOf } from '../access/routes.ts';
import { storable } from '../base/inputs.ts';
import { datasetKeys } from './datasets.ts';

/** Imports change the numbers for everybody: the tools and the trust to manage people are both asked for. */
export function canImport(viewer: Viewer): boolean {
  const tools = guardOf('/tools');
  return (
    tools.kind === 'permission' && can(viewer, tools.permission) && callRefusal(viewer, callAccess.people) === null
  );
}

export const importLimits = {
  /** Bytes of the start of a file that a preview is made from. */
  sample: 64 * 1024,
  previewRows: 20,
  /** Faults that are answered at once; all of them are in the report. */
  faults: 100,
  mappingCharacters: 100_000,
  /** Saved mappings in the whole company. */
  mappings: 50,
} as const;

const name = z
  .string()
  .check(z.trim(), z.minLength(1, 'must not be blank'), z.maxLength(100, 'is longer than 100 characters'), storable);
const dataset = z.enum(datasetKeys);
const mappingName = z
  .string()
  .check(z.regex(/^[a-z0-9][a-z0-9_-]{0,79}$/i, 'must be letters, digits, hyphens and _, 80 at most'));

/** How long a service token is good: nothing outside the company's walls lasts for ever. */
export const defaultTokenDays = 365;
export const tokenDayChoices = [30, 90, 180, defaultTokenDays] as const;

export const serviceTokenInput = z.strictObject({
  name,
  days: z.optional(
    z
      .int()
      .check(z.minimum(1, 'must be 1 or more'), z.maximum(defaultTokenDays, `must be ${defaultTokenDays} or less`)),
  ),
  datasets: z.array(dataset).check(z.minLength(1, 'must name at least one')),
});

export const savedMappingInput = z.strictObject({
  name: mappingName,
  mapping: z.string().check(z.maxLength(importLimits.mappingCharacters, 'is too long'), storable),
});

export const mappingNameInput = z.strictObject({ name: mappingName });

/** What a file is imported with; `wait: "no"` answers before it is through. */
export const importInput = z.strictObject({
  dataset,
  mapping: mappingName,
  dryRun: z.optional(z.enum(['1', 'true', '0', 'false'])),
  wait: z.optional(z.enum(['yes', 'no'])),
  fileName: z.optional(z.string().check(z.maxLength(255, 'is longer than 255 characters'), storable)),
});
