// Decides who publishes the guidelines, when a new version is accepted, and who must confirm it. Used by the
// server and the page.
import * as z from 'zod/mini';
import { isAdmin, type Viewer } from '../access/access.ts';
import { callAccess } from '../access/call-access.ts';
import { applicationPermission, type Permission } from '../access/permissions.ts';
import { filled, filledLine, pageAfterInput, text, version } from '../base/inputs.ts';
import { limits } from '../base/limits.ts';
import { type Refusal, refuse } from '../base/refusals.ts';

/** The longest texts, in UTF-16 units. */
export const guidelineLimits = { text: 60_000, note: 500, search: 100 } as const;

/** People with all of these, and admins, read the guidelines and are asked to confirm them. */
export const guidelineReaderPermissions: readonly Permission[] = [applicationPermission, ...callAccess.guidelines];

export const publishGuidelinesInput = z.strictObject({
  text: filled(guidelineLimits.text),
  note: filledLine(guidelineLimits.note),
  /** The version that the text is based on; 0 before the first. */
  basedOn: z.int().check(z.nonnegative('must not be negative')),
});
export const guidelineVersionInput = z.strictObject({ version });
export const guidelineReadersInput = z.strictObject({
  confirmed: z.optional(z.boolean()),
  search: z.optional(text(guidelineLimits.search).check(z.trim())),
  ...pageAfterInput.shape,
});
export const guidelineReadersPage = Math.min(50, limits.page);

export function canEditGuidelines(viewer: Viewer): boolean {
  return isAdmin(viewer);
}

/** The current version. */
export type CurrentGuidelines = {
  readonly version: number;
  readonly text: string;
  readonly note: string;
  readonly publishedBy: string;
};
export type PlannedVersion = { readonly version: number; readonly text: string; readonly note: string };

/**
 * The next version, or a refusal: it must not overwrite someone's changes, and must differ from the previous
 * one.
 */
export function planPublish(
  viewer: Viewer,
  current: CurrentGuidelines | null,
  input: z.output<typeof publishGuidelinesInput>,
): PlannedVersion | Refusal {
  if (!canEditGuidelines(viewer)) return refuse('FORBIDDEN');
  const holds = current?.version ?? 0;
  if (current && input.basedOn < holds)
    return refuse(
      'CONFLICT',
      `${current.publishedBy} published version ${holds} while you were editing: “${current.note}”. Review it, then publish again`,
      { changed: ['text'] },
    );
  if (input.basedOn !== holds)
    return refuse('BAD_INPUT', 'basedOn doesn’t match the current version', { field: 'basedOn' });
  if (input.text === current?.text)
    return refuse('BAD_INPUT', `text is the same as in version ${holds}`, { field: 'text' });
  return { version: holds + 1, text: input.text, note: input.note };
}

/** Only the current version can be confirmed. */
export function confirmRefusal(current: number | null, confirmed: number): Refusal | null {
  if (current === null || confirmed > current) return refuse('NOT_FOUND');
  if (confirmed < current)
    return refuse('CONFLICT', `Version ${current} was published. Read and confirm that one`, {
      changed: ['version'],
    });
  return null;
}
