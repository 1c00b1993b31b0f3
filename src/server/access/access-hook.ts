// What access reports to the areas above it, within the change's transaction.
import type { ViewerChange } from '#core/access/access.ts';
import type { AccountEventDetail, AccountEventKind } from '#core/access/account-events.ts';
import type { Permission } from '#core/access/permissions.ts';
import type { Config } from '#server/platform/config/config.ts';
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
  /** Null for nobody in the company, such as a command or the identity provider. */
  readonly viewer?: { readonly id: string } | null;
};

/** Knows the company's day. */
export type ZonedActor = { readonly config: Pick<Config, 'companyTimeZone'> };

/** A person's permissions and approvers. */
export type Access = {
  readonly role: string | null;
  readonly permissions: readonly Permission[];
  /** The names of the effective ones. */
  readonly approvers: readonly string[];
  /** Without the default approver. */
  readonly ownApproverIds: readonly string[];
};

export type AccessChange = {
  readonly personId: string;
  readonly name: string;
  /** Null for a new person. */
  readonly before: Access | null;
  readonly after: Access;
};

/** A change to the ways into an account. */
export type AccountChange = {
  readonly personId: string;
  readonly event: AccountEventKind;
  readonly detail: AccountEventDetail;
  /** The person who did it; null for the account's owner. */
  readonly by: string | null;
  readonly agent: string | undefined;
  readonly address: string;
  /** The mail's address if it isn't the current one: the address before the change. */
  readonly mailTo?: string | undefined;
};

/** Someone asks the admins to give a person another role. */
export type RoleRequest = {
  readonly personId: string;
  readonly person: string;
  readonly role: string;
  readonly roleBefore: string | null;
  readonly byId: string;
  readonly by: string;
};

/** Someone's request for a role was answered. */
export type RoleAnswer = Omit<RoleRequest, 'roleBefore'> & {
  /** The role that the person got; null: the request was declined. */
  readonly given: string | null;
  readonly askedById: string;
};

export const accessHook = createHook<{
  /** Some people's access may be the same before and after. */
  accessChanged(actor: AccessActor & ZonedActor, queries: Queries, changes: readonly AccessChange[]): Promise<void>;
  /** Returns how many admins were told. */
  roleAsked(actor: AccessActor, queries: Queries, request: RoleRequest): Promise<number>;
  roleAnswered(actor: AccessActor, queries: Queries, answer: RoleAnswer): Promise<void>;
  /** The identity provider gave a person the role. Before its audit entry. */
  roleGiven(actor: AccessActor, queries: Queries, personId: string, role: string): Promise<void>;
  /** The people that nobody could decide for if these changed so. */
  leftWithoutApprover(queries: Queries, changes: readonly ViewerChange[]): Promise<string[]>;
  accountChanged(actor: AccessActor, queries: Queries, change: AccountChange): Promise<void>;
}>('accessHook');
