// The demo company's staff tools: fictional services at unused addresses.

import { guardOf, type Path } from '#core/access/routes.ts';
import { datasets } from '#core/numbers/datasets.ts';
import { toolCards } from '#server/admin/tools/tool-tables.ts';
import type { Queries } from '#server/platform/db/database.ts';

type DemoTool = {
  readonly group: string;
  readonly title: string;
  readonly description: string;
  readonly host: string;
  /** Visible to people who can open this page. */
  readonly seenLike?: Path;
  readonly health?: 'trouble' | 'down';
  readonly note?: string;
};

const demoTools: readonly DemoTool[] = [
  { group: 'Everyone', title: 'Wiki', description: 'How we work, and who knows what', host: 'wiki' },
  { group: 'Everyone', title: 'Holidays', description: 'Request days off and see who’s away', host: 'holidays' },
  {
    ...{ group: 'Everyone', title: 'Expenses', description: 'Submit receipts by the 25th', host: 'expenses' },
    ...{ health: 'trouble', note: 'Photo uploads are slow. Finance knows' },
  },
  { group: 'Everyone', title: 'Meeting rooms', description: 'See which rooms are free', host: 'rooms' },
  {
    group: 'Sales',
    title: 'Price list',
    description: 'All products with their margins',
    host: 'prices',
    seenLike: datasets.orders.page,
  },
  {
    group: 'Sales',
    title: 'Campaign planner',
    description: 'What is promoted where, week by week',
    host: 'campaigns',
    seenLike: datasets.orders.page,
  },
  {
    group: 'Support',
    title: 'Answers',
    description: 'Templates for frequent questions',
    host: 'answers',
    seenLike: datasets.conversations.page,
  },
  {
    ...{ group: 'Support', title: 'Parcel tracking', description: 'Where a parcel is', host: 'parcels' },
    ...{ seenLike: datasets.conversations.page, health: 'down', note: 'The carrier is moving servers. Back on Monday' },
  },
];

function permissionOf(path: Path | undefined): string | null {
  const guard = path && guardOf(path);
  return guard?.kind === 'permission' ? guard.permission : null;
}

export async function insertDemoTools(
  queries: Queries,
  { now, ownerIds }: { readonly now: Temporal.Instant; readonly ownerIds: readonly string[] },
): Promise<void> {
  await queries.insert(toolCards).values(
    demoTools.map(({ group, title, description, host, seenLike, health = 'works', note = '' }, index) => ({
      ...{ group, title, description, health, healthNote: note, place: index + 1 },
      link: `https://${host}.demo.test/`,
      permission: permissionOf(seenLike),
      ownerId: BigInt(ownerIds[index % ownerIds.length]!),
      healthAt: now.subtract({ hours: 3 + index * 19 }).toString(),
    })),
  );
}
