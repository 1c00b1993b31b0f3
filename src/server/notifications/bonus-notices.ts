// Notifies people of questions and answers about a line of a bonus.
import { heldPermissions } from '#core/access/access.ts';
import { answerKey, excerpt, questionKey, questionRecipients, readsBonus } from '#core/notifications/notices.ts';
import { displayName } from '#core/people/people.ts';
import { delegationsOf, runningDelegations } from '#server/people/absences.service.ts';
import type { RequestContext } from '#server/platform/context.ts';
import type { Queries } from '#server/platform/db/database.ts';
import type { BonusMessage } from '#server/toolbox/bonus/bonus-hook.ts';
import * as store from './bonus-notices.store.ts';
import { writeNotices } from './notices.service.ts';
import { forgetNotices, insertNotices } from './write-notices.ts';

const viewerOf = ({ id, role, stored, approverIds }: store.PersonRow) => ({
  ...{ id, role, approverIds },
  permissions: heldPermissions(role, stored),
});

const lineFacts = ({ viewer }: RequestContext, { line, sprintId, sprint, text }: BonusMessage) => ({
  ...{ line, sprintId, sprint, by: displayName(viewer), text: excerpt(text) },
});

/** Notifies everyone who can answer, once until someone has. */
export async function notifyQuestion(context: RequestContext, queries: Queries, said: BonusMessage): Promise<void> {
  const { owner, statementId, line, now } = said;
  const delegates = await runningDelegations(context, queries, { personIds: owner.approverIds });
  const ids = [...owner.approverIds, ...delegates.map(({ delegateId }) => delegateId)];
  const possible = (await store.possibleAnswerers(queries, ids)).map(viewerOf);
  const hearers = questionRecipients(
    possible.map((person) => ({ ...person, ...delegationsOf(delegates, person) })),
    owner,
  );
  if (hearers.length === 0) return;
  const facts = { kind: 'asked', personId: owner.id, ...lineFacts(context, said) } as const;
  await writeNotices(
    context,
    queries,
    insertNotices({
      ...{ key: questionKey(statementId, line), at: now, kind: 'asked', mails: context.mail.configured },
      people: hearers.map(({ id }) => ({ id, facts })),
    }),
  );
}

/** Notifies the asker of the answer; the question no longer waits for others. */
export async function notifyAnswer(context: RequestContext, queries: Queries, said: BonusMessage): Promise<void> {
  const { owner, messageId, statementId, line, now } = said;
  await writeNotices(context, queries, forgetNotices(questionKey(statementId, line)));
  const asker = await store.personById(queries, owner.id);
  if (!asker || !readsBonus(viewerOf(asker))) return;
  const facts = { kind: 'answered', ...lineFacts(context, said) } as const;
  await writeNotices(
    context,
    queries,
    insertNotices({
      ...{ key: answerKey(messageId), at: now, kind: 'answered', mails: context.mail.configured },
      people: [{ id: owner.id, facts }],
    }),
  );
}
