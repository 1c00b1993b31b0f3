// Who can sign in, by what the database holds about them. Everything that counts on somebody's coming asks here.

/** SQL: whether the person with this alias can sign in. An invitation alone is no way in yet. */
export const canSignInSql = (person: string): string => `(${person}.disabled_at is null and (
  ${person}.password_hash is not null
  or exists (select from passkeys k where k.person_id = ${person}.id)
  or exists (select from identities i where i.person_id = ${person}.id)))`;
