// Notifies people of a changed way into their account, in the inbox and by mail, in the change's transaction.
import { randomUUID } from 'node:crypto';
import { originWords } from '#core/access/account-events.ts';
import type { AccessActor, AccountChange } from '#server/access/access-hook.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { unreachableDomain } from '#server/platform/mail/mailer.ts';
import { addressMail } from './mail-delivery.store.ts';
import { writeNotices } from './notices.service.ts';
import { insertNotices } from './write-notices.ts';

export async function notifyAccountChange(
  { clock, live, mail }: AccessActor,
  queries: Queries,
  { personId, event, detail, by, agent, address, mailTo }: AccountChange,
): Promise<void> {
  // A command doesn't know whether the server sends mails: the mail waits for a day.
  const isCommand = mail === undefined;
  const origin = isCommand ? null : originWords(agent ?? null, address);
  const facts = { kind: 'accountChanged', event, detail, by, origin } as const;
  const key = `account:${randomUUID()}`;
  const at = clock.now();
  const mails = isCommand || mail.configured;
  const notices = { key, at, kind: facts.kind, people: [{ id: personId, facts }], mails };
  const mailBefore = isCommand ? { mailBefore: at.add({ hours: 24 }) } : {};
  await writeNotices({ live }, queries, insertNotices({ ...notices, ...mailBefore }));
  // Imported people have an address that reaches nobody until someone gives them theirs.
  if (mailTo !== undefined && mails && !mailTo.endsWith(unreachableDomain))
    await addressMail(queries, { personId, key, to: mailTo, at: at.toString() });
}
