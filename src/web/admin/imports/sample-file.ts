// A file that the import takes as it is, to see what one looks like.
import { type DatasetKey, datasetOf, type FieldType } from '#core/numbers/datasets.ts';
import { fieldsOf, identity } from './mapping-draft.ts';

const samples: Readonly<Record<string, readonly string[]>> = {
  text: ['A-1', 'B-2'],
  longText: ['A note', 'Another note'],
  instant: ['2026-01-30 09:30', '2026-01-31 14:05'],
  day: ['2026-01-30', '2026-01-31'],
  money: ['12.50', '1299.00'],
  whole: ['1', '2'],
  flag: ['yes', 'no'],
  score: ['5', '4'],
};

function valuesOf(name: string, type: FieldType): readonly string[] {
  if (name === 'currency') return ['USD', 'USD'];
  if (name === 'country') return ['US', 'DE'];
  return typeof type === 'string' ? samples[type]! : [type[0]!, type[0]!];
}

/** Two rows with every field, under names that the wizard recognizes. */
export function sampleFile(dataset: DatasetKey): { head: string[]; rows: string[][] } {
  const { fields } = datasetOf(dataset);
  const all = fieldsOf(dataset);
  const columns = all.map(({ name }) => (name === identity ? ['1', '2'] : valuesOf(name, fields[name]!.type)));
  return {
    head: all.map(({ name }) => (name === identity ? 'id' : name)),
    rows: [0, 1].map((row) => columns.map((values) => values[row]!)),
  };
}
