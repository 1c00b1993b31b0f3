// Checks single variables, and shows a wrong value without revealing a secret.
import { isIP } from 'node:net';
import * as z from 'zod';
import { type GroupRoles, readGroupRoles } from '#core/access/single-sign-on.ts';
import { type Hosts, hostsIn, sessionKinds } from '../db/host-client.ts';

export type Variable<T> = {
  readonly schema: z.ZodType<T>;
  /** The end of the sentence "Use ...". */
  readonly use: string;
  /** Shows a wrong value, after the name of its variable. */
  readonly shown: (value: string) => string;
  /** Can also come from a file named in `<NAME>_FILE`. */
  readonly secret?: true;
};

const quoted = (value: string) => `is ${JSON.stringify(value.length > 80 ? `${value.slice(0, 80)}...` : value)}`;
/** Shows a secret. */
export const hidden = (value: string) => `is set (${Buffer.byteLength(value)} bytes, not shown)`;

/**
 * Keeps the host of a URL with a password, because that is what people need to see. Hides anything unclear.
 */
export function maskedUrl(value: string): string {
  if (!URL.canParse(value)) return hidden(value);
  const { protocol, username, password, host, pathname, search, hash } = new URL(value);
  // An unencoded password would end up where the host belongs.
  if (!host || `${pathname}${search}${hash}`.includes('@')) return hidden(value);
  const credentials = username || password ? '***@' : '';
  return `is "${protocol}//${credentials}${host}/..."`;
}

/** Shows an address without a password, even an invalid one. */
function shownAddress(value: string): string {
  const isUnclear = !URL.canParse(value) || !new URL(value).host;
  return isUnclear && !/[@?#]/.test(value) ? quoted(value) : maskedUrl(value);
}

function urlOf(protocols: string[]): z.ZodType<string> {
  const isOne = (value: string) => URL.canParse(value) && protocols.includes(new URL(value).protocol);
  // The next checks would throw on an invalid address.
  return z.string().refine(isOne, { abort: true });
}

/** Base addresses are joined with paths, so they can't have a query, credentials or a trailing slash. */
export const baseAddress: Variable<string> = {
  schema: urlOf(['http:', 'https:'])
    .refine((value) => {
      const { search, hash, username, password } = new URL(value);
      return !search && !hash && !username && !password;
    })
    .transform((value) => value.replace(/\/+$/, '')),
  use: 'an http or https address without query and password',
  shown: shownAddress,
};

const encoded = 'In a user or password write # as %23, / as %2F and @ as %40';

/** The pages are served from the root of their host. */
export const publicAddress: Variable<string> = {
  ...baseAddress,
  schema: baseAddress.schema.refine((value) => new URL(value).pathname === '/'),
  use: 'an http or https address without path, query and password',
};

export function urlWithSecrets(protocols: string[], example: string): Variable<string> {
  return { schema: urlOf(protocols), use: `an address like ${example}. ${encoded}`, shown: maskedUrl, secret: true };
}

/** A misspelled parameter would select the default store. */
function isBucket(value: string): boolean {
  const { hostname, port, pathname, hash, searchParams } = new URL(value);
  const { endpoint = 'https://host', region = 'any', ...others } = Object.fromEntries(searchParams);
  const isPlain = hostname !== '' && /^\/?$/.test(pathname) && !port && !hash && Object.keys(others).length === 0;
  return isPlain && baseAddress.schema.safeParse(endpoint).success && /^[\w-]+$/.test(region);
}

/** Shows the endpoint's host, which is what needs fixing when nothing answers. */
export const bucket: Variable<string> = {
  ...urlWithSecrets([], 's3://bucket?endpoint=https://host&region=REGION, with no path and no other parameter'),
  schema: urlOf(['s3:']).refine(isBucket),
  shown(value) {
    const endpoint = URL.canParse(value) ? new URL(value).searchParams.get('endpoint') : null;
    const { host } = endpoint !== null && URL.canParse(endpoint) ? new URL(endpoint) : { host: '' };
    return host ? `${maskedUrl(value)} at ${host}` : maskedUrl(value);
  },
};

function databaseOf(test: (hosts: Hosts) => boolean, use: string): Variable<string> {
  return {
    schema: z.string().refine((value) => {
      const hosts = hostsIn(value);
      return hosts !== null && sessionKinds.includes(hosts.kind) && test(hosts);
    }),
    use: `${use}. ${encoded}`,
    shown(value) {
      const { urls = [value] } = hostsIn(value) ?? {};
      return urls.map(maskedUrl).join(' and ').replaceAll(' and is ', ' and ');
    },
    secret: true,
  };
}

/** Only one of several hosts accepts writes. */
export const database = databaseOf(
  ({ urls, kind }) => urls.length === 1 || kind === 'read-write',
  'an address like postgres://user:password@host:5432/name, or with several hosts postgres://user:password@host1:5432,host2:5432/name?target_session_attrs=read-write',
);
export const databaseToRead = databaseOf(() => true, 'an address like postgres://user:password@host:5432/name');

export const port: Variable<number> = {
  ...wholeNumber(0, 65_535),
  use: 'a whole number from 0 to 65535 (0 picks a free port)',
};

export function wholeNumber(least: number, most: number): Variable<number> {
  return {
    schema: z
      .string()
      .regex(/^\d{1,9}$/)
      .transform(Number)
      .refine((value) => value >= least && value <= most),
    use: `a whole number from ${least} to ${most}`,
    shown: quoted,
  };
}

const NAMED_NETWORKS = ['loopback', 'linklocal', 'uniquelocal'];

function isNetwork(value: string): boolean {
  if (NAMED_NETWORKS.includes(value)) return true;
  const [address = '', bits, ...rest] = value.split('/');
  const version = isIP(address);
  const isPrefix = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
  return version !== 0 && isPrefix && rest.length === 0;
}

export const networks: Variable<string[]> = {
  schema: z
    .string()
    .transform((value) => value.split(',').map((part) => part.trim()))
    .refine((parts) => parts.every(isNetwork)),
  use: 'addresses or networks separated by commas, for example 10.0.0.0/8, loopback',
  shown: quoted,
};

/**
 * The issuer exactly as the provider reports it, trailing slash included. Plain HTTP only on this machine.
 */
export const issuer: Variable<string> = {
  schema: urlOf(['http:', 'https:']).refine((value) => {
    const { protocol, hostname, search, hash, username, password } = new URL(value);
    const safe = protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
    return safe && !search && !hash && !username && !password;
  }),
  use: 'an https address without query and password',
  shown: shownAddress,
};

export const scopes: Variable<string> = {
  schema: z.string().regex(/^openid( [\w.:/-]+)*$/),
  use: 'scopes with openid first, for example openid groups',
  shown: quoted,
};

export const groupRoles: Variable<GroupRoles> = {
  schema: z.string().transform((value, context) => {
    const read = readGroupRoles(value);
    if (read === null) context.addIssue({ code: 'custom', message: 'isn’t a mapping' });
    return read ?? z.NEVER;
  }),
  use: 'groups and their roles, for example it-admins=admin,sales=Sales',
  shown: quoted,
};

export const text: Variable<string> = {
  schema: z.string().max(200),
  use: 'a text of up to 200 characters',
  shown: quoted,
};

export const host: Variable<string> = {
  schema: z.string().regex(/^[\w.:-]+$/),
  use: 'a host name or an address, for example 127.0.0.1 or ::',
  shown: quoted,
};

/** `127.0.0.1:9464`, `[::1]:9464` or `metrics.internal:9464`. */
export const listener: Variable<{ host: string; port: number }> = {
  schema: z.string().transform((value, context) => {
    const [, bracketed, plain, port = ''] = /^(?:\[([\da-fA-F:.]+)\]|([\w.-]+)):(\d{1,5})$/.exec(value) ?? [];
    const host = bracketed ?? plain;
    if (host === undefined || Number(port) > 65_535) {
      context.addIssue({ code: 'custom', message: 'isn’t an address and port' });
      return z.NEVER;
    }
    return { host, port: Number(port) };
  }),
  use: 'an address and a port, for example 127.0.0.1:9464',
  shown: quoted,
};

/** Only a shell expands ~: here it would create a folder of that name. */
export const folder: Variable<string> = {
  schema: z.string().refine((value) => !value.includes('\0') && !/^~/.test(value)),
  use: 'the whole path of a folder, without ~',
  shown: quoted,
};

export const flag: Variable<boolean> = {
  schema: z.enum(['0', '1']).transform((value) => value === '1'),
  use: '0 or 1',
  shown: quoted,
};

export function oneOf<const T extends string>(values: readonly T[]): Variable<T> {
  return { schema: z.enum(values), use: `one of ${values.join(', ')}`, shown: quoted };
}

export const email: Variable<string> = { schema: z.email().max(254), use: 'an email address', shown: quoted };

/** With or without a name. */
export const sender: Variable<string> = {
  schema: z
    .string()
    .max(200)
    .regex(/^([^<>\r\n]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/),
  use: 'an email address, with a name if you like: Staff Dashboard <staff@example.com>',
  shown: quoted,
};

export const id: Variable<string> = {
  schema: z.string().regex(/^[1-9]\d{0,17}$/),
  use: "a person's id, which is a whole number",
  shown: quoted,
};

function isZone(value: string): boolean {
  try {
    // Offsets such as +01:00 are accepted here too, but they have no daylight saving time.
    new Intl.DateTimeFormat('en', { timeZone: value });
    return /^[A-Za-z]/.test(value);
  } catch {
    return false;
  }
}

export const timeZone: Variable<string> = {
  schema: z.string().refine(isZone),
  use: 'an IANA time zone, for example Europe/Berlin',
  shown: quoted,
};

export const ratio: Variable<number> = {
  schema: z
    .string()
    .regex(/^(0(\.\d{1,9})?|1(\.0{1,9})?)$/)
    .transform(Number),
  use: 'a number from 0 to 1, for example 0.1',
  shown: quoted,
};

/** `name=value,name=value` with percent-encoded values, as in OpenTelemetry. */
export function pairs(kind: 'open' | 'secret' = 'open'): Variable<Readonly<Record<string, string>>> {
  return {
    schema: z.string().transform((value, context) => {
      const entries = value.split(',').map((pair) => /^\s*([\w.-]+)\s*=\s*((?:[^%]|%[\da-fA-F]{2})*?)\s*$/.exec(pair));
      try {
        return Object.fromEntries(entries.map((found) => [found![1]!, decodeURIComponent(found![2]!)]));
      } catch {
        context.addIssue({ code: 'custom', message: 'isn’t a list of pairs' });
        return z.NEVER;
      }
    }),
    use: 'names and values like name=value,name=value',
    shown: kind === 'secret' ? hidden : quoted,
    ...(kind === 'secret' ? { secret: true as const } : {}),
  };
}
