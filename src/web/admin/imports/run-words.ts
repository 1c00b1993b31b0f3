// What an import says of itself, in one sentence.
import type { ImportStand } from './import-calls.ts';

const count = new Intl.NumberFormat('en-GB');

export function runWords(run: ImportStand): string {
  const { state, isDryRun, rows, inserted, updated, unchanged, refused, reason } = run;
  if (state === 'running') return `${isDryRun ? 'Dry run' : 'Import'}: ${count.format(rows)} rows read`;
  const [added, changed] = isDryRun ? ['would be added', 'would be changed'] : ['added', 'changed'];
  const counts = [
    `${count.format(rows)} rows read`,
    `${count.format(inserted)} ${added}`,
    `${count.format(updated)} ${changed}`,
    `${count.format(unchanged)} as they were`,
    `${count.format(refused)} did not fit`,
  ].join(', ');
  if (state === 'done') return `${isDryRun ? 'Dry run, nothing was written' : 'Imported'}: ${counts}.`;
  const how = isDryRun ? `Dry run ${state}, nothing was written` : `Import ${state}`;
  if (state === 'failed') return `${how}: ${counts}. ${reason ?? ''}`;
  return isDryRun ? `${how}: ${counts}.` : `${how}: ${counts}. That stays; run it again to take in the rest.`;
}
