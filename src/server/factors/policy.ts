// Who the policy asks for a second factor, in terms of what the database holds about them.

/** SQL: whether an admin other than `p` can sign in. Only asked about admins. */
export const otherAdminSql = `(p.role = 'admin' and exists (
  select from people o where o.role = 'admin' and o.id <> p.id and o.disabled_at is null
    and (o.password_hash is not null or exists (select from identities i where i.person_id = o.id))))`;
