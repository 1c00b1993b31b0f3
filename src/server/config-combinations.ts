// What variables want of each other; what a single one may hold stands in config-values.ts.
import { key } from './config-values.ts';

// Groups that mean something only together, and what each of them needs besides.
const TOGETHER: readonly (readonly string[])[] = [
  ['ADMIN_EMAIL', 'ADMIN_PASSWORD'],
  ['METABASE_SITE_URL', 'METABASE_SECRET_KEY'],
  ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'],
  ['SMTP_URL', 'MAIL_FROM'],
];
const NEED_PUBLIC_URL = ['OIDC_ISSUER', 'SMTP_URL'];
const NEED_ANOTHER = [
  ['DATABASE_REPLICA_URL', 'DATABASE_URL', 'the replica of that database'],
  ['DATABASE_DIRECT_URL', 'DATABASE_URL', 'the way to that database past its pooler'],
  ['LINK_SECRET_ALSO', 'LINK_SECRET', 'a second key beside that one'],
] as const;

type Read = { readonly DEMO?: boolean; readonly APP_ENV?: string };

export function combinationFaults(isSet: (name: string) => boolean, { DEMO, APP_ENV }: Read): string[] {
  const faults: string[] = [];
  for (const group of TOGETHER.filter((names) => names.some(isSet))) {
    for (const name of group.filter((name) => !isSet(name))) {
      faults.push(`${name} is not set, it is wanted with ${group.filter(isSet).join(' and ')}.`);
    }
  }
  for (const name of NEED_PUBLIC_URL.filter(isSet)) {
    if (!isSet('PUBLIC_URL'))
      faults.push(`PUBLIC_URL is not set, ${name} wants it: the address at which people reach this server.`);
  }
  if (isSet('DATABASE_URL') && !isSet('LINK_SECRET')) {
    faults.push(
      `LINK_SECRET is not set, with DATABASE_URL it wants ${key.wants}. All servers of one database have the same.`,
    );
  }
  for (const [name, wanted, what] of NEED_ANOTHER) {
    if (isSet(name) && !isSet(wanted)) faults.push(`${name} is set without ${wanted}, it wants ${what}.`);
  }
  if (DEMO && APP_ENV === 'production') {
    faults.push('DEMO is "1", with APP_ENV=production it wants 0: demo accounts have a known password.');
  }
  return faults;
}
