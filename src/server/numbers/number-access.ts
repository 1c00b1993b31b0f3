// The only permission check for numbers: values, rows, exports, goals and balances all use it (D10).
import type { Viewer } from '#core/access/access.ts';
import { refuse } from '#core/base/refusals.ts';
import { canReadDataset } from '#core/numbers/dataset-access.ts';
import { type DatasetKey, datasetOf } from '#core/numbers/datasets.ts';
import type { NumberScope } from '#core/numbers/number-request.ts';
import type { RequestContext, Services } from '#server/platform/context.ts';
import { RefusalError } from '#server/platform/graphql/refusal-error.ts';
import { workCalendar } from '#server/platform/settings/settings.service.ts';
import { readNewest, readStanding, type Standing } from './numbers.store.ts';
import type { Reading } from './row-conditions.ts';

/**
 * Throws unless the viewer has the page's permission and, for a scoped dataset, the tab's and the data's too.
 */
export function assertMayRead(viewer: Viewer, dataset: DatasetKey, scope: string | null): void {
  if (!canReadDataset(viewer, dataset, scope)) throw new RefusalError(refuse('FORBIDDEN'));
}

export const unknownCurrency = (currency: string | null): RefusalError =>
  new RefusalError(
    refuse('BAD_INPUT', `currency ${JSON.stringify(currency)} isn’t in these numbers`, { field: 'currency' }),
  );

/** Prepares a permitted request: with the stored days' zone and one currency. */
export async function openReading(
  context: Pick<RequestContext, 'viewer'> & Services,
  request: NumberScope,
): Promise<{ reading: Reading; standing: Standing }> {
  assertMayRead(context.viewer, request.dataset, request.scope);
  const zoned = (zone: string) => ({ zone, now: context.clock.now().toZonedDateTimeISO(zone) });
  const asked = { ...request, ...workCalendar(context), ...zoned(context.config.companyTimeZone) };
  const standing = await context.reader.read((queries) => readStanding(queries, asked));
  if (!standing.isKnown) throw unknownCurrency(request.currency);
  const currency = request.currency ?? standing.currencies[0] ?? (await newestCurrency(context, request));
  return { reading: { ...asked, currency, ...(standing.zone !== null && zoned(standing.zone)) }, standing };
}

/** For a range without rows the page still shows one currency: the newest rows'. */
async function newestCurrency({ reader }: Services, request: NumberScope): Promise<string | null> {
  if (datasetOf(request.dataset).currency === null) return null;
  return (await reader.read((queries) => readNewest(queries, request)))?.currency ?? null;
}
