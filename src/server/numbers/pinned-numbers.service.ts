// The numbers a person pins to the start page: at most two, and only those they can still read.

import { readInput } from '#core/base/inputs.ts';
import { refuse } from '#core/base/refusals.ts';
import { canReadDataset } from '#core/numbers/dataset-access.ts';
import { metricOf } from '#core/numbers/metrics.ts';
import { metricRefusal, mostPins, pinInput, scopeRefusal } from '#core/numbers/number-request.ts';
import { pinnedSearch, searchToPin } from '#core/numbers/numbers-search.ts';
import type { RequestContext } from '#server/platform/context.ts';
import { orThrow, RefusalError } from '#server/platform/graphql/refusal-error.ts';
import { assertMayRead } from './number-access.ts';
import { deletePin, insertPin, lockPins, type Pin, readPins } from './pinned-numbers.store.ts';

export type PinnedNumber = Pin;

/** Leaves out metrics that no longer exist, and datasets the person lost access to. */
const isShown = ({ viewer }: RequestContext, { dataset, metric, scope }: Pin): boolean =>
  metricOf(dataset, metric) !== null && canReadDataset(viewer, dataset, scope);

export async function pinnedNumbers(context: RequestContext): Promise<PinnedNumber[]> {
  const pins = await readPins(context.database.drizzle, context.viewer.id);
  return pins.filter((pin) => isShown(context, pin));
}

function readPin(args: object): Pin {
  const { dataset, metric, scope = null, search = '' } = orThrow(readInput(pinInput, args));
  const refusal = scopeRefusal(dataset, scope) ?? metricRefusal(dataset, metric, 'metric');
  if (refusal) throw new RefusalError(refusal);
  return { dataset, metric, scope, search: searchToPin(pinnedSearch(search)) };
}

const isSame = (one: Pin, other: Pin): boolean =>
  one.dataset === other.dataset &&
  one.metric === other.metric &&
  one.scope === other.scope &&
  one.search === other.search;

export async function pinNumber(context: RequestContext, args: object): Promise<PinnedNumber[]> {
  const pin = readPin(args);
  const { viewer, database, clock } = context;
  assertMayRead(viewer, pin.dataset, pin.scope);
  await database.transaction(async (queries) => {
    await lockPins(queries, viewer.id);
    const pins = await readPins(queries, viewer.id);
    if (pins.some((other) => isSame(other, pin))) return;
    // Hidden pins make room, because nobody could remove them.
    for (const hidden of pins.filter((other) => !isShown(context, other))) await deletePin(queries, viewer.id, hidden);
    if (pins.filter((other) => isShown(context, other)).length >= mostPins)
      throw new RefusalError(
        refuse('BAD_INPUT', `You can pin ${mostPins} numbers. Unpin one first`, { field: 'metric' }),
      );
    await insertPin(queries, viewer.id, pin, clock.now().toString());
  });
  return pinnedNumbers(context);
}

export async function unpinNumber(context: RequestContext, args: object): Promise<PinnedNumber[]> {
  await deletePin(context.database.drizzle, context.viewer.id, readPin(args));
  return pinnedNumbers(context);
}
