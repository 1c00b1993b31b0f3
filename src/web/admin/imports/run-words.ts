// What an import says of itself, in one sentence.
import type { ImportStand } from './import-calls.ts';

const count = new Intl.NumberFormat('en-US');

export function runWords(run: ImportStand): string {
  const { state, isDryRun, rows, inserted, updated, unchanged, refused, reason } = run;
  if (state === 'running') return `${isDryRun ? 'Dry run' : 'Import'}: ${count.format(rows)} rows read`;
  const [added, changed] = isDryRun ? ['new', 'changed'] : ['added', 'changed'];
  const counts = [
    `${count.format(rows)} rows read`,
    `${count.format(inserted)} ${added}`,
    `${count.format(updated)} ${changed}`,
    `${count.format(unchanged)} unchanged`,
    `${count.format(refused)} refused`,
  ].join(', ');
  if (state === 'done') return `${isDryRun ? 'Dry run. Nothing was saved' : 'Imported'}: ${counts}.`;
  const how = isDryRun ? `Dry run ${state}. Nothing was saved` : `Import ${state}`;
  if (state === 'failed') return `${how}: ${counts}. ${reason ?? ''}`;
  return isDryRun ? `${how}: ${counts}.` : `${how}: ${counts}. Imported rows stay. Run it again to import the rest.`;
}
