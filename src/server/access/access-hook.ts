// What access tells the areas above it, in the transaction of the change.
import type { AccountEventDetail, AccountEventKind } from '#core/access/account-events.ts';
import type { Permission } from '#core/access/permissions.ts';
import type { Clock } from '#server/platform/db/clock.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { createHook } from '#server/platform/hook.ts';
import type { LiveChanges } from '#server/platform/live/live.service.ts';
import type { Mailer } from '#server/platform/mail/mailer.ts';

/** A request, or a command, which has no mailer. */
export type AccessActor = {
  readonly clock: Clock;
  readonly live: Pick<LiveChanges, 'publish'>;
  readonly mail?: Pick<Mailer, 'configured'> | undefined;
};

/** What a person may do, and who approves them. */
export type Access = {
  readonly role: string | null;
  readonly permissions: readonly Permission[];
  readonly approvers: readonly string[];
};

export type AccessChange = { readonly personId: string; readonly before: Access; readonly after: Access };

/** A change to how an account is reached. */
export type AccountChange = {
  readonly personId: string;
  readonly event: AccountEventKind;
  readonly detail: AccountEventDetail;
  /** Who did it, if not the person. */
  readonly by: string | null;
  readonly agent: string | undefined;
  readonly address: string;
  /** Where the mail goes instead: the address before the change. */
  readonly mailTo?: string | undefined;
};

export const accessHook = createHook<{
  /** Of some people the access before and after is the same. */
  accessChanged(actor: AccessActor, queries: Queries, changes: readonly AccessChange[]): Promise<void>;
  accountChanged(actor: AccessActor, queries: Queries, change: AccountChange): Promise<void>;
}>('accessHook');
