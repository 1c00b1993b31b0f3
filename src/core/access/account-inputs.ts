// Decides the shape and limits of inputs about a person's account and its ways in. Used by the server's
// calls.
import * as z from 'zod/mini';
import { id } from '../base/inputs.ts';

/** The ways in that can be removed one by one. */
export const removableWays = ['session', 'identity', 'calendarFeed', 'serviceToken', 'link'] as const;
export type RemovableWay = (typeof removableWays)[number];

/**
 * What "Sign out everywhere" can close in addition to sessions. `factors`: passkeys, authenticator app and
 * recovery codes.
 */
export const closableWays = ['feeds', 'tokens', 'links', 'identities', 'factors'] as const;
export type ClosableWay = (typeof closableWays)[number];

const hashed = z.string().check(z.regex(/^[0-9a-f]{64}$/, 'is not the name of one'));
/** Rows of the log per page. */
export const eventsPerPage = 20;
const mostEvents = 100;

export const eventsInput = z.strictObject({
  before: z.optional(id),
  limit: z.optional(z.int().check(z.minimum(1, 'must be 1 or more'), z.maximum(mostEvents, `is over ${mostEvents}`))),
});
export const eventIdInput = z.strictObject({ id });
export const ownSessionInput = z.strictObject({ id: hashed });
export const unlinkInput = z.strictObject({ id: hashed });
export const signOutInput = z.strictObject({
  also: z.array(z.enum(closableWays)).check(z.maxLength(closableWays.length, 'names one twice')),
});
/** An id, or the hash that identifies a session or an identity. */
export const removeWayInput = z.strictObject({
  userId: id,
  kind: z.enum(removableWays),
  id: z.string().check(z.regex(/^([1-9]\d{0,17}|[0-9a-f]{64})$/, 'must be an ID')),
});

export type RemoveWay = z.output<typeof removeWayInput>;
export type SignOut = z.output<typeof signOutInput>;
