import { useDebouncedValue } from '@mantine/hooks';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { DatasetKey } from '#core/numbers/datasets.ts';
import type { ApiError } from '#web/api/api-error.ts';
import { isWorthRetrying } from '#web/api/query-client.ts';
import type { ChosenFile } from './chosen-file.ts';
import { type Preview, previewsKey, readPreview } from './import-calls.ts';
import type { Mapping } from './mapping-draft.ts';

/**
 * Few previews run at once, and those of the choice before this one can still be running. Those of a server
 * that died keep their place for 45 seconds.
 */
export const isPreviewWorthRetrying = (count: number, error: ApiError): boolean =>
  isWorthRetrying(count, error) || (error.code === 'TOO_MANY_ATTEMPTS' && count < 8);

/** Sends no request while someone types. */
const pauseMs = 400;

/**
 * What an import would make of the first rows. With a sheet, only how the file is read: the mapping has no
 * more than its format.
 */
export function usePreview(
  dataset: DatasetKey,
  chosen: ChosenFile | null,
  mapping: Mapping | null,
  sheet?: string,
): UseQueryResult<Preview> & { readonly isCurrent: boolean } {
  const text = mapping && JSON.stringify(mapping);
  const [settled] = useDebouncedValue(text, pauseMs);
  const sample = chosen?.sample;
  const file = [dataset, chosen?.id ?? null, sheet ?? null];
  const preview = useQuery({
    queryKey: [...previewsKey, ...file, settled],
    queryFn: ({ signal }) =>
      readPreview(dataset, sample ?? { text: '', isWhole: true }, settled && JSON.parse(settled), sheet ?? '', signal),
    enabled: sample !== undefined,
    retry: isPreviewWorthRetrying,
    // Another file or sheet has other columns; another mapping of the same one only changes values.
    placeholderData: (previous, query) =>
      sheet === undefined || file.every((part, index) => query?.queryKey[index + 2] === part) ? previous : undefined,
    gcTime: 60_000,
  });
  // False while the answer for this mapping, or its failure, isn't there; the data are then of the one before.
  return { ...preview, isCurrent: settled === text && !preview.isPlaceholderData && !preview.isPending };
}
