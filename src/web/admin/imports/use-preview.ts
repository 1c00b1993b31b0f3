import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { DatasetKey } from '#core/numbers/datasets.ts';
import type { ChosenFile } from './chosen-file.ts';
import { type Preview, readPreview } from './import-calls.ts';
import type { Mapping } from './mapping-draft.ts';

/** Sends no request while someone types. */
const pauseMs = 400;

/** What an import would make of the first rows of a sheet; without a mapping only how the file is read. */
export function usePreview(
  dataset: DatasetKey,
  chosen: ChosenFile | null,
  mapping: Mapping | null,
  sheet = '',
): UseQueryResult<Preview> {
  const text = mapping && JSON.stringify(mapping);
  const [settled] = useDebouncedValue(text, pauseMs);
  const sample = chosen?.sample;
  return useQuery({
    queryKey: ['import', 'preview', dataset, sample?.text ?? null, settled, sheet],
    queryFn: ({ signal }) =>
      readPreview(dataset, sample ?? { text: '', isWhole: true }, settled && JSON.parse(settled), sheet, signal),
    enabled: sample !== undefined,
    // Another file has other columns; another mapping of the same file only changes values.
    placeholderData: mapping ? keepPreviousData : undefined,
    gcTime: 60_000,
  });
}
