import type { DatasetKey } from '#core/numbers/datasets.ts';

type Example = {
  /** Of the server that takes imports in. */
  readonly origin: string;
  readonly dataset: DatasetKey;
  readonly mapping: string;
};

/** A line for a shell that tries an import by HTTP. The token comes from a variable: in the line it would stay in the shell's history. */
export function importExample({ origin, dataset, mapping }: Example): string {
  const address = `${origin}/api/import/${dataset}?mapping=${mapping}&dryRun=1`;
  return `curl -H "Authorization: Bearer $TOKEN" --data-binary @export.csv "${address}"`;
}
