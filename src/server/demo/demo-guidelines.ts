// The demo company's guidelines: two versions, the newer one confirmed by some.
import type { Queries } from '#server/platform/db/database.ts';
import { insertRows } from '#server/platform/db/insert-rows.ts';
import { guidelineConfirmations, guidelineVersions } from '#server/toolbox/guidelines/guideline-tables.ts';
import type { DemoPerson } from './demo-people.ts';

const before = `# How we work with S.T.A.R.T

Every week has five tasks. They are the five things that matter most, not a list of everything you do.

## The week

1. Write your tasks before Monday 10:00, or on Monday morning.
2. Your approver approves each of them, or says what has to change.
3. Work on them, and move them as you go on.
4. When a task is completed, your approver signs it off.

## What makes a good task

- It can be finished within the week.
- Its summary says how one sees that it is done.
- It belongs to one brand.
`;

const now = `# How we work with S.T.A.R.T

Every week has five tasks. They are the five things that matter most, not a list of everything you do. A sixth is allowed and marked as extra.

## The week

| When | Who | What |
|---|---|---|
| Before Monday 10:00 | You | Write the tasks of the week |
| Monday | Your approver | Approves each of them, or says what has to change |
| The whole week | You | Work on them, and move them as you go on |
| When a task is completed | Your approver | Signs it off, or sends it back with a reason |

The sprint ends on **Monday 10:00**. What was finished in time can be marked for two more days; what goes on is carried over by its owner.

## What makes a good task

- It can be finished within the week.
- Its summary says how one sees that it is done, with a number where there is one.
- It belongs to one brand. Work for everybody is *All Brands*.

## When something is denied

A denial says what has to change. Edit the task and send it again: that is how plans get better, and it is not held against you.

## Fair to both sides

The hours that a task waits for its approver are counted apart, and never against its owner. Approvers decide within a working day; whoever is away names somebody else first.
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
      note: 'Explains the week, denials, and that waiting never counts against the owner',
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
