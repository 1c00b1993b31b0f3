// Who the policy asks for a second factor, in terms of what the database holds about them.
import { canSignInSql } from '../people/can-sign-in.ts';

/** SQL: whether an admin other than `p` can sign in. Only asked about admins. */
export const otherAdminSql = `(p.role = 'admin' and exists (
  select from people o where o.role = 'admin' and o.id <> p.id and ${canSignInSql('o')}))`;
