// What variables require of each other. config-values.ts and config-secrets.ts check single values.
import { key } from './config-secrets.ts';
import type { Settings, VariableName } from './config-variables.ts';

// Variables that only work together.
const TOGETHER: readonly (readonly VariableName[])[] = [
  ['ADMIN_EMAIL', 'ADMIN_PASSWORD'],
  ['METABASE_SITE_URL', 'METABASE_SECRET_KEY'],
  ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'],
  ['SMTP_URL', 'MAIL_FROM'],
];
const NEED_PUBLIC_URL: readonly VariableName[] = ['OIDC_ISSUER', 'SMTP_URL'];
const NEED_ANOTHER: readonly (readonly [VariableName, VariableName])[] = [
  ['DATABASE_REPLICA_URL', 'DATABASE_URL'],
  ['DATABASE_DIRECT_URL', 'DATABASE_URL'],
  ['LINK_SECRET_ALSO', 'LINK_SECRET'],
];

const databases = ['DATABASE_URL', 'DATABASE_DIRECT_URL', 'DATABASE_REPLICA_URL'] as const;
const sslModes = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'];

/** The driver takes an unknown sslmode for verify-full. */
function sslFaults(settings: Settings): string[] {
  return databases.flatMap((name) => {
    const mode = /[?&]sslmode=([^&]*)/.exec(settings[name] ?? '')?.[1];
    if (mode === undefined || sslModes.includes(mode)) return [];
    return [`${name} has sslmode=${mode.slice(0, 20)}. Use one of ${sslModes.join(', ')}.`];
  });
}

const everyAddress = ['0.0.0.0', '::'];

const onThisMachine = /^http:\/\/(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:|\/|$)/;

export function combinationFaults(isSet: (name: VariableName) => boolean, settings: Settings): string[] {
  const faults = sslFaults(settings);
  for (const group of TOGETHER.filter((names) => names.some(isSet))) {
    for (const name of group.filter((name) => !isSet(name))) {
      const others = group.filter(isSet);
      faults.push(`${name} isn't set, but ${others.join(' and ')} ${others.length === 1 ? 'needs' : 'need'} it.`);
    }
  }
  for (const name of NEED_PUBLIC_URL.filter(isSet)) {
    if (!isSet('PUBLIC_URL'))
      faults.push(`PUBLIC_URL isn't set, but ${name} needs it. Set it to the address where people open the product.`);
  }
  if (isSet('DATABASE_URL') && !isSet('LINK_SECRET')) {
    faults.push(`LINK_SECRET isn't set, but DATABASE_URL needs it. Use ${key.use}. All servers need the same one.`);
  }
  for (const [name, needed] of NEED_ANOTHER) {
    if (isSet(name) && !isSet(needed)) faults.push(`${name} is set, but ${needed} isn't. Set ${needed} too.`);
  }
  const { METRICS_ADDRESS: metrics, HOST, PORT } = settings;
  if (metrics?.port === PORT && metrics && [metrics.host, ...everyAddress].includes(HOST)) {
    faults.push(
      `METRICS_ADDRESS is "${metrics.host}:${PORT}", but the server itself listens at PORT ${PORT}. Use another port.`,
    );
  }
  const { DEMO, APP_ENV, PUBLIC_URL } = settings;
  if (DEMO && isSet('ADMIN_EMAIL')) {
    faults.push('DEMO is "1", but ADMIN_EMAIL asks for your own company. Remove one of them.');
  }
  if (APP_ENV !== 'production') return faults;
  if (DEMO) {
    faults.push('DEMO is "1", but APP_ENV is "production". Remove DEMO: the password of demo accounts is public.');
  }
  if (PUBLIC_URL?.startsWith('http:') && !onThisMachine.test(PUBLIC_URL)) {
    faults.push(
      `PUBLIC_URL is "${PUBLIC_URL}", but APP_ENV is "production". Use https, because nobody stays signed in over http.`,
    );
  }
  return faults;
}
