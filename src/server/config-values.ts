// What a single variable may hold, and how a wrong value is shown without telling a secret.
import { isIP } from 'node:net';
import * as z from 'zod';
import { passwordRefusal, shortestPassword } from '#core/passwords.ts';
import { type GroupRoles, readGroupRoles } from '#core/single-sign-on.ts';
import { type Hosts, hostsIn, sessionKinds } from './db/host-client.ts';

export type Variable<T> = {
  schema: z.ZodType<T>;
  /** Ends the sentence "it wants ...". */
  wants: string;
  shown: (value: string) => string;
};

const quoted = (value: string) => `is ${JSON.stringify(value.length > 80 ? `${value.slice(0, 80)}...` : value)}`;
const hidden = (value: string) => `is set (${Buffer.byteLength(value)} bytes, not shown)`;

/** A URL that holds a password keeps its host, which is what one wants to see; anything unclear is hidden. */
export function maskedUrl(value: string): string {
  if (!URL.canParse(value)) return hidden(value);
  const { protocol, username, password, host } = new URL(value);
  if (!host) return hidden(value);
  const credentials = username || password ? '***@' : '';
  return `is "${protocol}//${credentials}${host}/..."`;
}

function urlOf(protocols: string[]): z.ZodType<string> {
  return z.string().refine((value) => URL.canParse(value) && protocols.includes(new URL(value).protocol));
}

/** Base addresses are joined with paths, so they carry no query, no credentials and no slash at the end. */
export const baseAddress: Variable<string> = {
  schema: urlOf(['http:', 'https:'])
    .refine((value) => {
      const { search, hash, username, password } = new URL(value);
      return !search && !hash && !username && !password;
    })
    .transform((value) => value.replace(/\/+$/, '')),
  wants: 'an http or https address without query and password',
  shown: maskedUrl,
};

export function urlWithSecrets(protocols: string[], example: string): Variable<string> {
  return { schema: urlOf(protocols), wants: `an address like ${example}`, shown: maskedUrl };
}

function databaseOf(test: (hosts: Hosts) => boolean, wants: string): Variable<string> {
  return {
    schema: z.string().refine((value) => {
      const hosts = hostsIn(value);
      return hosts !== null && sessionKinds.includes(hosts.kind) && test(hosts);
    }),
    wants,
    shown(value) {
      const { urls = [value] } = hostsIn(value) ?? {};
      return urls.map(maskedUrl).join(' and ');
    },
  };
}

/** Of several hosts only one takes writes. */
export const database = databaseOf(
  ({ urls, kind }) => urls.length === 1 || kind === 'read-write',
  'an address like postgres://user:password@host:5432/name, several hosts as host1:5432,host2:5432/name?target_session_attrs=read-write',
);
export const databaseToRead = databaseOf(() => true, 'an address like postgres://user:password@host:5432/name');

export const port: Variable<number> = {
  schema: z
    .string()
    .regex(/^\d{1,5}$/)
    .transform(Number)
    .refine((value) => value <= 65_535),
  wants: 'a whole number from 0 (any free port) to 65535',
  shown: quoted,
};

export const seconds: Variable<number> = {
  schema: z
    .string()
    .regex(/^\d{1,2}$/)
    .transform(Number)
    .refine((value) => value <= 60),
  wants: 'whole seconds from 0 to 60',
  shown: quoted,
};

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
  wants: 'addresses or networks with commas between, as 10.0.0.0/8, loopback',
  shown: quoted,
};

/** As the provider names itself, to the last slash. Without TLS only on this machine. */
export const issuer: Variable<string> = {
  schema: urlOf(['http:', 'https:']).refine((value) => {
    const { protocol, hostname, search, hash, username, password } = new URL(value);
    const safe = protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
    return safe && !search && !hash && !username && !password;
  }),
  wants: 'an https address without query and password',
  shown: maskedUrl,
};

export const scopes: Variable<string> = {
  schema: z.string().regex(/^openid( [\w.:/-]+)*$/),
  wants: 'scopes like openid groups, openid first',
  shown: quoted,
};

export const groupRoles: Variable<GroupRoles> = {
  schema: z.string().transform((value, context) => {
    const read = readGroupRoles(value);
    if (read === null) context.addIssue({ code: 'custom', message: 'is no mapping' });
    return read ?? z.NEVER;
  }),
  wants: 'groups and the roles that they give, like it-admins=admin,sales=Sales',
  shown: quoted,
};

export const text: Variable<string> = {
  schema: z.string().max(200),
  wants: 'a text of at most 200 characters',
  shown: quoted,
};

export const host: Variable<string> = {
  schema: z.string().regex(/^[\w.:-]+$/),
  wants: 'a host name or an address, as 127.0.0.1 or ::',
  shown: quoted,
};

export const folder: Variable<string> = {
  schema: z.string().refine((value) => !value.includes('\0')),
  wants: 'the path of a folder',
  shown: quoted,
};

export const flag: Variable<boolean> = {
  schema: z.enum(['0', '1']).transform((value) => value === '1'),
  wants: '0 or 1',
  shown: quoted,
};

export function oneOf<const T extends string>(values: readonly T[]): Variable<T> {
  return { schema: z.enum(values), wants: `one of ${values.join(', ')}`, shown: quoted };
}

export const email: Variable<string> = { schema: z.email().max(254), wants: 'an e-mail address', shown: quoted };

export const id: Variable<string> = {
  schema: z.string().regex(/^[1-9]\d{0,17}$/),
  wants: "a person's id, a whole number",
  shown: quoted,
};

function isZone(value: string): boolean {
  try {
    // Offsets such as +01:00 are taken here too, but know no daylight saving and are no zone of a company.
    new Intl.DateTimeFormat('en', { timeZone: value });
    return /^[A-Za-z]/.test(value);
  } catch {
    return false;
  }
}

export const timeZone: Variable<string> = {
  schema: z.string().refine(isZone),
  wants: 'an IANA time zone, as Europe/Berlin',
  shown: quoted,
};

const EXAMPLE = /change.?me|example|your.?secret|placeholder/i;

export const password: Variable<string> = {
  schema: z.string().min(8).max(1000),
  wants: 'a password of 8 to 1000 characters',
  shown: hidden,
};

/** The first admin's: nobody may choose an easier one either, and the example of a manual is one that everybody knows. */
export const adminPassword: Variable<string> = {
  schema: z
    .string()
    .refine(
      (value) => passwordRefusal(value, { email: '', firstName: '', lastName: '' }) === null && !EXAMPLE.test(value),
    ),
  wants: `a password of ${shortestPassword} characters or more that is not easy to guess`,
  shown: hidden,
};

const SMALLEST_KEY_BYTES = 32;

/** Random keys have many different characters; "aaaa..." and the examples of a manual are no secret. */
export const key: Variable<string> = {
  schema: z
    .string()
    .refine(
      (value) => Buffer.byteLength(value) >= SMALLEST_KEY_BYTES && new Set(value).size >= 10 && !EXAMPLE.test(value),
    ),
  wants: `${SMALLEST_KEY_BYTES} random bytes or more, as from: openssl rand -hex 32`,
  shown: hidden,
};

export const secret: Variable<string> = {
  schema: z
    .string()
    .min(1)
    .refine((value) => !EXAMPLE.test(value)),
  wants: 'the secret that the other side gave, and not an example',
  shown: hidden,
};
