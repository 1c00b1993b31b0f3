// The staff tools as cards: people see those they have access to, admins maintain them.
import type * as z from 'zod/mini';
import { callAccess, callRefusal } from '#core/access/call-access.ts';
import {
  canSeeToolCard,
  createToolCardInput,
  movedOrder,
  moveToolCardInput,
  toolCardIdInput,
  toolCardLimits,
  toolHealthInput,
  updateToolCardInput,
} from '#core/admin/tool-cards.ts';
import { readInput } from '#core/base/inputs.ts';
import { refuse } from '#core/base/refusals.ts';
import { staleRefusal } from '#core/base/versions.ts';
import { withoutEmpty } from '#core/base/without-empty.ts';
import { nameWithState } from '#core/people/people.ts';
import {
  assertProofOfAddresses,
  type HourlyLimit,
  recordOwnChange,
  unprovenEdits,
  unprovenRemovals,
} from '#server/access/auth/recent-proof.ts';
import { isActivePerson } from '#server/people/people.service.ts';
import type { RequestContext } from '#server/platform/context.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { orThrow, RefusalError } from '#server/platform/graphql/refusal-error.ts';
import { callKey, findReplay, recordResult } from '#server/platform/idempotency/idempotency.service.ts';
import * as store from './tool-cards.store.ts';

export type ToolCard = Omit<store.ToolCardRow, 'owner' | 'removed'> & {
  readonly ownerName: string | null;
  readonly ownerDisabled: boolean;
};

function shown({ owner, removed: _, ...row }: store.ToolCardRow): ToolCard {
  return { ...row, ownerName: owner && nameWithState(owner), ownerDisabled: owner?.disabled ?? false };
}

/** The viewer's cards, by group and position. */
export async function toolCards({ database, viewer }: RequestContext): Promise<ToolCard[]> {
  const rows = await store.readCards(database.drizzle);
  return rows.filter(({ permission }) => canSeeToolCard(viewer, permission)).map(shown);
}

/** The titles of the tools that these people own, of those that the viewer can see. */
export async function ownedTools(
  { viewer }: Pick<RequestContext, 'viewer'>,
  queries: Queries,
  personIds: readonly string[],
): Promise<string[]> {
  if (callRefusal(viewer, callAccess.tools) !== null) return [];
  const owned = (await store.readCards(queries)).filter(
    ({ ownerId }) => ownerId !== null && personIds.includes(ownerId),
  );
  return owned.filter(({ permission }) => canSeeToolCard(viewer, permission)).map(({ title }) => title);
}

type Audited = { readonly action: string; readonly before?: object; readonly after?: object };

/** Someone who sets up or sorts the tools may make hundreds of changes. */
const mostPerHour = 500;
const limits: Readonly<Record<string, HourlyLimit>> = {
  toolHealthSet: {},
  toolCardChanged: { mostPerHour, unproven: unprovenEdits },
  toolCardRemoved: { mostPerHour, unproven: unprovenRemovals },
};

function audit(queries: Queries, context: RequestContext, id: string, { action, before, after }: Audited) {
  const entry = {
    action,
    subjectType: 'toolCard',
    subjectId: id,
    ...(before && { before: { ...before } }),
    ...(after && { after: { ...after } }),
  };
  return recordOwnChange(queries, context, entry, limits[action] ?? { mostPerHour });
}

const valuesOf = ({ title, group, description, link, ownerId, permission }: store.CardValues): store.CardValues => ({
  ...{ title, group, description, link, ownerId, permission },
});

/** A forged link would collect other people's passwords. */
const textsOf = ({ title, group, description, link }: store.CardValues): string[] => [title, group, description, link];

/** Empty text means nobody, or everyone. */
const orNull = (text: string | undefined): string | null => (text === undefined || text === '' ? null : text);

async function checkOwner(queries: Queries, ownerId: string | null): Promise<void> {
  if (ownerId !== null && !(await isActivePerson(queries, ownerId)))
    throw new RefusalError(refuse('BAD_INPUT', 'The owner must be an enabled person', { field: 'ownerId' }));
}

/** As other cards spell it: “everyone” makes no second group beside “Everyone”. */
async function spelledGroup(queries: Queries, group: string, id?: string): Promise<string> {
  const others = (await store.readCards(queries)).filter((card) => card.id !== id);
  return others.find((card) => card.group.toLowerCase() === group.toLowerCase())?.group ?? group;
}

async function assertRoom(queries: Queries): Promise<void> {
  if ((await store.countCards(queries)) >= toolCardLimits.cards)
    throw new RefusalError(refuse('BAD_INPUT', `There can be up to ${toolCardLimits.cards} tools. Remove one first`));
}

export function createToolCard(context: RequestContext, args: object): Promise<ToolCard> {
  const input = orThrow(readInput(createToolCardInput, args));
  const call = callKey(context, 'createToolCard', input);
  const wanted = {
    ...input,
    description: input.description ?? '',
    ownerId: orNull(input.ownerId),
    permission: orNull(input.permission),
  };
  return context.database.transaction(async (queries) => {
    const before = await findReplay(queries, context, call);
    if (before !== null) return cardNow(queries, before);
    await store.lockCards(queries);
    await assertRoom(queries);
    const values = { ...wanted, group: await spelledGroup(queries, wanted.group) };
    await checkOwner(queries, values.ownerId);
    await assertProofOfAddresses(queries, context, [], textsOf(values));
    const id = await store.insertCard(queries, values, context.clock.now().toString());
    await recordResult(queries, context, call, id);
    await audit(queries, context, id, { action: 'toolCardCreated', after: values });
    return cardNow(queries, id);
  });
}

async function cardNow(queries: Queries, id: string): Promise<ToolCard> {
  const row = await store.readCard(queries, id);
  if (!row) throw new RefusalError(refuse('NOT_FOUND'));
  return shown(row);
}

/** What a change writes and audits; null if there is nothing to do. */
type Change = Audited & { readonly write: () => Promise<void> };

/** Changes one card under the lock and returns the result. */
function change<Input extends { readonly id: string; readonly version?: number | undefined }>(
  context: RequestContext,
  schema: z.ZodMiniType<Input>,
  args: object,
  plan: (queries: Queries, card: store.ToolCardRow, input: Input) => Change | null | Promise<Change | null>,
): Promise<ToolCard> {
  const input = orThrow(readInput(schema, args));
  return context.database.transaction(async (queries) => {
    await store.lockCards(queries);
    const card = await store.readCard(queries, input.id);
    if (!card) throw new RefusalError(refuse('NOT_FOUND'));
    const stale = staleRefusal(card.version, input.version);
    if (stale) throw new RefusalError(stale);
    const planned = await plan(queries, card, input);
    if (planned === null) return shown(card);
    await planned.write();
    await audit(queries, context, card.id, planned);
    return cardNow(queries, card.id);
  });
}

function mustBeThere({ removed }: store.ToolCardRow): void {
  if (removed) throw new RefusalError(refuse('NOT_FOUND', 'Someone removed this tool'));
}

export function updateToolCard(context: RequestContext, args: object): Promise<ToolCard> {
  return change(context, updateToolCardInput, args, async (queries, card, { id, version: _, ...input }) => {
    mustBeThere(card);
    const before = valuesOf(card);
    const given = withoutEmpty(input) as Partial<Record<keyof store.CardValues, string>>;
    const after: store.CardValues = {
      ...before,
      ...given,
      ...(given.group !== undefined && { group: await spelledGroup(queries, given.group, id) }),
      ...(given.ownerId !== undefined && { ownerId: orNull(given.ownerId) }),
      ...(given.permission !== undefined && { permission: orNull(given.permission) }),
    };
    // An owner who has left can stay; only a new owner must exist.
    if (after.ownerId !== before.ownerId) await checkOwner(queries, after.ownerId);
    // Others may see the card from now on: its addresses are new to them.
    const known = after.permission === before.permission ? textsOf(before) : [];
    await assertProofOfAddresses(queries, context, known, textsOf(after));
    return { action: 'toolCardChanged', before, after, write: () => store.saveCard(queries, id, after) };
  });
}

export function setToolHealth(context: RequestContext, args: object): Promise<ToolCard> {
  return change(context, toolHealthInput, args, async (queries, card, { id, health, note = '' }) => {
    mustBeThere(card);
    await assertProofOfAddresses(queries, context, [...textsOf(card), card.healthNote], [note]);
    const at = context.clock.now().toString();
    return {
      action: 'toolHealthSet',
      before: { health: card.health, note: card.healthNote },
      after: { health, note },
      write: () => store.saveHealth(queries, id, { health, note, at }),
    };
  });
}

export function removeToolCard(context: RequestContext, args: object): Promise<ToolCard> {
  return change(context, toolCardIdInput, args, (queries, card, { id }) => {
    mustBeThere(card);
    const write = () => store.saveRemoved(queries, id, context.clock.now().toString());
    return { action: 'toolCardRemoved', before: valuesOf(card), write };
  });
}

/** Restores a removed card; an existing one is unchanged. */
export function restoreToolCard(context: RequestContext, args: object): Promise<ToolCard> {
  return change(context, toolCardIdInput, args, async (queries, card, { id }) => {
    if (!card.removed) return null;
    await assertProofOfAddresses(queries, context, [], textsOf(card));
    const { title, link } = card;
    return { action: 'toolCardRestored', after: { title, link }, write: () => store.saveRemoved(queries, id, null) };
  });
}

/** Moves one place up or down within its group, or stays at the edge. */
export function moveToolCard(context: RequestContext, args: object): Promise<ToolCard> {
  const call = callKey(context, 'moveToolCard', args);
  return change(context, moveToolCardInput, args, async (queries, card, { id, by }) => {
    mustBeThere(card);
    if ((await findReplay(queries, context, call)) !== null) return null;
    const group = (await store.readCards(queries)).filter((other) => other.group === card.group);
    const ids = group.map((other) => other.id);
    const order = movedOrder(ids, id, by);
    if (order === null) return null;
    await recordResult(queries, context, call, id);
    const place = (all: readonly string[]) => ({ group: card.group, place: all.indexOf(id) + 1 });
    const write = () => store.saveOrder(queries, order);
    return { action: 'toolCardMoved', before: place(ids), after: place(order), write };
  });
}
