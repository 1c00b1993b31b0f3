// Tells people that a way into their account changed, in the inbox and by mail, in the transaction of the change.
import { randomUUID } from 'node:crypto';
import { originWords } from '#core/access/account-events.ts';
import type { NoticeFacts } from '#core/notifications/notices.ts';
import type { Clock } from '../db/clock.ts';
import type { Queries } from '../db/database.ts';
import type { LiveChanges } from '../live/live.service.ts';
import type { Mailer } from '../mail/mailer.ts';
import { addressMail } from './mail-delivery.store.ts';
import { writeNotices } from './notices.service.ts';
import { insertNotices } from './write-notices.ts';

type Telling = {
  readonly clock: Clock;
  readonly live: Pick<LiveChanges, 'publish'>;
  /** A command doesn't know whether the server sends mails: the mail waits for a day. */
  readonly mail?: Pick<Mailer, 'configured'> | undefined;
};

type Change = Omit<Extract<NoticeFacts, { kind: 'accountChanged' }>, 'kind' | 'origin'> & {
  readonly personId: string;
  readonly agent: string | undefined;
  readonly address: string;
  /** Where the mail goes instead: the address before the change. */
  readonly mailTo?: string | undefined;
};

export async function tellOfAccountChange(
  { clock, live, mail }: Telling,
  queries: Queries,
  { personId, event, detail, by, agent, address, mailTo }: Change,
): Promise<void> {
  const isCommand = mail === undefined;
  const origin = isCommand ? null : originWords(agent ?? null, address);
  const facts = { kind: 'accountChanged', event, detail, by, origin } as const;
  const key = `account:${randomUUID()}`;
  const at = clock.now();
  const mails = isCommand || mail.configured;
  const notices = { key, at, kind: facts.kind, people: [{ id: personId, facts }], mails };
  const mailBefore = isCommand ? { mailBefore: at.add({ hours: 24 }) } : {};
  await writeNotices({ live }, queries, insertNotices({ ...notices, ...mailBefore }));
  if (mailTo !== undefined && mails) await addressMail(queries, { personId, key, to: mailTo, at: at.toString() });
}
