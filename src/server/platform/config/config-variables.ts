// Every environment variable the product reads. `npm run generate` makes the manual's table and .env.example
// from it.
import { secondFactorChoices } from '#core/access/second-factor.ts';
import * as secrets from './config-secrets.ts';
import * as values from './config-values.ts';

export const appEnvironments = ['development', 'staging', 'production'] as const;
export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

export const traceSamplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

/** `meaning` is Markdown for the manual. `fallback` says what happens when the variable is unset. */
const optional = <T>(kind: values.Variable<T>, meaning: string, fallback = 'unset') => ({
  ...kind,
  meaning,
  fallback,
  standard: undefined,
});

/** An unset variable has the value `standard`. */
const standing = <T>(kind: values.Variable<T>, standard: string, meaning: string) => ({
  ...kind,
  meaning,
  fallback: `\`${standard}\``,
  standard,
});

const network = {
  PORT: standing(values.port, '3000', 'the port to listen on. 0 picks a free one'),
  HOST: standing(values.host, '127.0.0.1', 'the address to listen on'),
  PUBLIC_URL: optional(
    values.publicAddress,
    'the URL where people open the product, without a path. Required with `OIDC_ISSUER` and `SMTP_URL`. With https, browsers use only https',
  ),
  TRUSTED_PROXIES: optional(
    values.networks,
    'IP addresses or networks of your proxies, for example `10.0.0.0/8, loopback`. Only their `X-Forwarded-For` is trusted',
    'none',
  ),
  DRAIN_SECONDS: standing(
    values.wholeNumber(0, 60),
    '0',
    'seconds a stopping server keeps serving while `/readyz` returns 503, so the load balancer can drop it. Use twice the interval of its health check, up to 60',
  ),
  DASHBOARD_SERVER_URL: optional(values.baseAddress, 'base URL of the API for the dashboards', 'the same origin'),
  TOP5_SERVER_URL: optional(values.baseAddress, 'base URL of the API for S.T.A.R.T', 'the same origin'),
};

const data = {
  DATA_DIR: optional(
    values.folder,
    'folder for the embedded database, files and secrets. A relative path starts at the checkout',
    '`data` in the checkout. For root in a folder closed to other users, a folder in `/var/lib/staff-dashboard`; the first start prints which',
  ),
  DATABASE_URL: optional(
    values.database,
    'your own PostgreSQL, as `postgres://user:password@host:5432/name`. For TLS, add `?sslmode=verify-full`, and `&sslrootcert=FILE` for your own authority',
    'the embedded database',
  ),
  DATABASE_DIRECT_URL: optional(
    values.database,
    'the same database, reached without the pooler. Set it when `DATABASE_URL` points to a pooler, see [several hosts](deployment.md#several-database-hosts)',
    '`DATABASE_URL`',
  ),
  DATABASE_REPLICA_URL: optional(
    values.databaseToRead,
    'a read replica for the numbers. While the replica is unavailable, the primary responds. Reads that a write depends on always use the primary',
  ),
  DATABASE_POOL_SIZE: standing(
    values.wholeNumber(2, 500),
    '10',
    'maximum connections to the database, and to a replica. If there are four or more, two are for short reads. One more connection listens for changes',
  ),
  FILES_URL: optional(
    values.bucket,
    'an S3-compatible bucket for attached files, as `s3://key:secret@bucket?endpoint=https://host&region=eu-central-1`',
    'a folder in `DATA_DIR`',
  ),
  LINK_SECRET: optional(
    secrets.key,
    'signs links to files, encrypts secrets of authenticator apps and authenticates backups. At least 32 random bytes, the same on all servers of one database. Required with `DATABASE_URL`',
    'created once and kept in `DATA_DIR`',
  ),
  LINK_SECRET_ALSO: optional(
    secrets.key,
    'a second key whose links work too, [while you change the secret](deployment.md#changing-a-secret)',
  ),
};

const company = {
  APP_ENV: standing(
    values.oneOf(appEnvironments),
    'development',
    'one of `development`, `staging`, `production`. A badge shows the first two',
  ),
  APP_NAME: standing(values.text, 'Staff dashboard', 'the name in the top bar'),
  COMPANY_TIME_ZONE: standing(
    values.timeZone,
    'UTC',
    'IANA time zone. Sprints begin Mondays at 10:00 in this zone. If you change it, the current and next sprints keep the old one',
  ),
  DEFAULT_APPROVER_ID: optional(
    values.id,
    'ID of the person who approves for people without an approver, until one is chosen in Approver Management',
  ),
  ADMIN_EMAIL: optional(values.email, 'the first admin of an empty database without the demo company'),
  ADMIN_PASSWORD: optional(secrets.adminPassword, 'the password of the first admin'),
  DEMO: optional(
    values.flag,
    '1 loads the demo company into an empty database and lets other machines reach it. Refused in production and with `ADMIN_EMAIL`',
    '1 with the embedded database on a server that only this machine can reach, outside production and without `ADMIN_EMAIL`, otherwise 0',
  ),
  REQUIRE_SECOND_FACTOR: optional(
    values.oneOf(secondFactorChoices),
    'who needs a passkey or an authenticator app besides a password: `nobody`, `admins` or `everyone`, see [Second factors](sign-in.md#second-factors)',
    'in production `admins` once mail is set up or a second admin can sign in, otherwise `nobody`',
  ),
  DEMO_PASSWORD: standing(secrets.password, 'top-5-demo', 'the password of the demo accounts'),
};

const connected = {
  SMTP_URL: optional(
    values.urlWithSecrets(['smtp:', 'smtps:'], 'smtps://user:password@host:465'),
    'the mail server. `smtps://` uses TLS from the start (port 465). `smtp://` (port 587) switches to TLS if the server offers it, and requires TLS before it sends a password to another machine',
    'no email is sent',
  ),
  MAIL_FROM: optional(values.sender, 'the sender of emails. Required with `SMTP_URL`'),
  OIDC_ISSUER: optional(
    values.issuer,
    'an OpenID Connect provider, see [Company sign-in](sign-in.md#company-sign-in-single-sign-on)',
  ),
  OIDC_CLIENT_ID: optional(values.text, 'the client ID of this product at the provider'),
  OIDC_CLIENT_SECRET: optional(secrets.secret, 'the client secret of this product at the provider'),
  OIDC_NAME: standing(values.text, 'your company account', 'what the sign-in page calls the provider'),
  OIDC_SCOPES: standing(values.scopes, 'openid', 'the scopes to request'),
  OIDC_GROUPS_CLAIM: standing(values.text, 'groups', 'the claim of the ID token that lists the groups'),
  OIDC_GROUP_ROLES: optional(
    values.groupRoles,
    'groups and the roles they give, strongest first: `it-admins=admin,sales=Sales`',
    'groups give no roles',
  ),
  METABASE_SITE_URL: optional(values.baseAddress, 'embedded dashboards, see [Metabase](integrations.md#metabase)'),
  METABASE_SECRET_KEY: optional(
    secrets.secret,
    'the key that signs embedded dashboards. Required with `METABASE_SITE_URL`',
  ),
};

const observed = {
  LOG_LEVEL: standing(
    values.oneOf(logLevels),
    'info',
    `what the log shows: ${logLevels.map((level) => `\`${level}\``).join(', ')}. Commands show \`warn\` and above unless it is set`,
  ),
  METRICS_ADDRESS: optional(
    values.listener,
    'serves `/metrics` at a separate address, for example `127.0.0.1:9464`, instead of at `PORT`',
  ),
  METRICS_TOKEN: optional(
    secrets.key,
    'lets callers that send it as `Authorization: Bearer …` read `/metrics`. At least 32 random bytes',
    'without it and `METRICS_ADDRESS`, `/metrics` returns 404',
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(
    values.baseAddress,
    'an OpenTelemetry collector (OTLP over HTTP, JSON), for example `http://127.0.0.1:4318`. Traces and metrics are sent to it, see [Traces](monitoring.md#traces)',
    'nothing is sent',
  ),
  OTEL_EXPORTER_OTLP_HEADERS: optional(
    values.pairs('secret'),
    'headers for the collector, as `name=value,name=value`',
    'none',
  ),
  OTEL_SERVICE_NAME: standing(values.text, 'staff-dashboard', 'the name of this service in traces'),
  OTEL_RESOURCE_ATTRIBUTES: optional(
    values.pairs(),
    'attributes of everything sent, as `deployment.environment.name=production,team=people`',
    'none',
  ),
  OTEL_TRACES_SAMPLER: standing(
    values.oneOf(traceSamplers),
    'parentbased_always_on',
    `which requests are traced: ${traceSamplers.map((sampler) => `\`${sampler}\``).join(', ')}`,
  ),
  OTEL_TRACES_SAMPLER_ARG: standing(
    values.ratio,
    '1',
    'the share of requests that a `traceidratio` sampler traces, from 0 to 1',
  ),
};

/** The sections of the manual. */
export const variableSections = {
  Network: network,
  Data: data,
  'Company and first start': company,
  'Email, single sign-on, Metabase': connected,
  'Logs, metrics and traces': observed,
} as const;

export const variables = { ...network, ...data, ...company, ...connected, ...observed };

type Variables = typeof variables;
export type VariableName = keyof Variables;
type Value<N extends VariableName> = Variables[N] extends values.Variable<infer T> ? T : never;

/** The parsed variables; undefined for one that is unset and has no default. */
export type Settings = {
  readonly [N in VariableName]: Variables[N]['standard'] extends string ? Value<N> : Value<N> | undefined;
};
