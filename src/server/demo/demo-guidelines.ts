// The demo company's guidelines: two versions, the newer one confirmed by some.
import type { Queries } from '#server/platform/db/database.ts';
import { insertRows } from '#server/platform/db/insert-rows.ts';
import { guidelineConfirmations, guidelineVersions } from '#server/toolbox/guidelines/guideline-tables.ts';
import type { DemoPerson } from './demo-people.ts';

const before = `# How we work with S.T.A.R.T

Plan five tasks a week. They’re the five things that matter most, not a list of everything you do.

## The week

1. Write your tasks before Monday 10:00, or on Monday morning.
2. Your approver approves each one or says what should change.
3. Work on them, and move them as you make progress.
4. When you complete a task, your approver signs it off.

## What makes a good task

- You can finish it within the week.
- Its summary says how we’ll know it’s done.
- It belongs to one brand.
`;

const now = `# How we work with S.T.A.R.T

Plan five tasks a week. They’re the five things that matter most, not a list of everything you do. You can add a sixth: it’s marked as extra.

## The week

| When | Who | What |
|---|---|---|
| Before Monday 10:00 | You | Write the week’s tasks |
| Monday | Your approver | Approves each one or says what should change |
| All week | You | Work on them, and move them as you make progress |
| When you complete a task | Your approver | Signs it off, or sends it back with a reason |

The sprint ends on **Monday at 10:00**. You have two more days to mark tasks you finished before then. Carry over what you’re still working on.

## What makes a good task

- You can finish it within the week.
- Its summary says how we’ll know it’s done, with a number if there is one.
- It belongs to one brand. Work for everyone is *All Brands*.

## When a task is denied

The reason says what should change. Edit the task and resend it. That’s how plans get better, and it doesn’t count against you.

## Fair to both sides

The hours a task waits for its approver are counted separately and never against its owner. Approvers decide within a working day. If you’re going to be away, choose a delegate under *My account* first.
`;

type Options = { readonly now: Temporal.Instant; readonly people: readonly DemoPerson[] };

export async function insertDemoGuidelines(queries: Queries, { now: at, people }: Options): Promise<void> {
  const [admin] = people;
  const ago = (hours: number) => at.subtract({ hours }).toString({ fractionalSecondDigits: 3 });
  await insertRows(queries, guidelineVersions, [
    { version: 1, text: before.trim(), note: 'The first version', publishedBy: admin!.id, publishedAt: ago(24 * 62) },
    {
      version: 2,
      text: now.trim(),
      note: 'Explains the week, denials, and why waiting never counts against the owner',
      publishedBy: admin!.id,
      publishedAt: ago(24 * 5),
    },
  ]);
  const readers = people.filter(({ leftSprintsAgo, role }) => leftSprintsAgo === null && role !== null);
  // Lena has read the first version but not the second; neither has every third of the others.
  const late = (person: DemoPerson, index: number) => person.email === 'staff@demo.test' || index % 3 === 2;
  await insertRows(
    queries,
    guidelineConfirmations,
    readers.flatMap((person, index) => [
      { version: 1, personId: person.id, confirmedAt: ago(24 * 62 - index) },
      ...(late(person, index) && person.id !== admin!.id
        ? []
        : [{ version: 2, personId: person.id, confirmedAt: ago(24 * 5 - index * 2) }]),
    ]),
  );
}
