// The demo company's role requirements and evidence: mostly met, some expiring or missing.
import { sql } from 'drizzle-orm';
import { adminRole } from '#core/access/access.ts';
import type { RequirementKind } from '#core/people/qualifications.ts';
import { roleEvidence, roleRequirements } from '#server/people/qualifications/qualification-tables.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { insertRows, type RowOf } from '#server/platform/db/insert-rows.ts';
import type { DemoRole } from './demo-accounts.ts';
import type { DemoPerson } from './demo-people.ts';
import { seededRandom } from './random.ts';

type Asked = {
  readonly kind: RequirementKind;
  readonly title: string;
  readonly validMonths?: number;
  readonly note: string;
};

const asked: Partial<Record<DemoRole, readonly Asked[]>> = {
  [adminRole]: [
    { kind: 'recommendation', title: 'Nominated by management', note: 'Minutes of the management meeting' },
    {
      kind: 'training',
      title: 'Security training',
      validMonths: 12,
      note: 'Our IT partner’s course. Certificate is in the folder',
    },
  ],
  Approver: [
    { kind: 'guideline', title: 'Top 5 guidelines', note: 'We read them together in the first week' },
    { kind: 'training', title: 'Giving feedback', validMonths: 24, note: 'Half a day with Ingrid' },
    { kind: 'years', title: 'One year with the company', note: 'Per the contract' },
  ],
  'Team lead': [
    { kind: 'training', title: 'Giving feedback', validMonths: 24, note: 'Half a day with Ingrid' },
    { kind: 'recommendation', title: 'Recommended by an approver', note: 'Recommended in the annual review' },
  ],
  Support: [
    { kind: 'training', title: 'Data protection', validMonths: 12, note: 'Online course, passed' },
    { kind: 'training', title: 'Payment disputes', note: 'Two days shadowing Yusuf' },
  ],
  People: [{ kind: 'training', title: 'Data protection', validMonths: 12, note: 'Online course, passed' }],
};

/** For a term of one year: expired, about to expire, and recent. */
const monthsAgo = [14, 11.5, 7, 3, 2] as const;

export type DemoDay = { readonly now: Temporal.Instant; readonly zone: string };

export async function insertDemoQualifications(
  queries: Queries,
  people: readonly DemoPerson[],
  { now, zone }: DemoDay,
): Promise<void> {
  const random = seededRandom(106);
  const today = now.toZonedDateTimeISO(zone).toPlainDate();
  const { rows: roles } = await queries.execute<{ id: string; name: string }>(sql`select id::text, name from roles`);
  const idOf = new Map(roles.map(({ id, name }) => [name, BigInt(id)]));
  const evidence: RowOf<typeof roleEvidence>[] = [];
  for (const [role, demands] of Object.entries(asked)) {
    for (const { note, ...requirement } of demands) {
      const [row] = await queries
        .insert(roleRequirements)
        .values({ ...requirement, roleId: idOf.get(role) ?? null })
        .returning({ id: roleRequirements.id });
      for (const person of people.filter((one) => one.role === role && one.leftSprintsAgo === null)) {
        // One in six has no evidence yet.
        if (random.chance(1 / 6)) continue;
        const months = random.pick(monthsAgo);
        const day = today.subtract({ days: Math.round(months * 30.4) }).toString();
        evidence.push({ requirementId: String(row!.id), personId: person.id, note, day, recordedBy: people[0]!.id });
      }
    }
  }
  await insertRows(queries, roleEvidence, evidence);
}
