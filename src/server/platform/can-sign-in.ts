// Whether a person can sign in. Everything that depends on a person being able to sign in asks here.

/** SQL: whether the person with this alias can sign in. An invitation alone doesn't count. */
export const canSignInSql = (person: string): string => `(${person}.disabled_at is null and (
  ${person}.password_hash is not null
  or exists (select from passkeys k where k.person_id = ${person}.id)
  or exists (select from identities i where i.person_id = ${person}.id)))`;
