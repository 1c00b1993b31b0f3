// Reads variables from the environment and from `<NAME>_FILE` files, and finds misspelled names.
import { readFileSync, statSync } from 'node:fs';
import { distance } from 'fastest-levenshtein';
import type { Variable } from './config-values.ts';
import { type Settings, type VariableName, variables } from './config-variables.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

const names = Object.keys(variables) as VariableName[];
const table: Readonly<Record<VariableName, Variable<unknown> & { readonly standard: string | undefined }>> = variables;
const fileSuffix = '_FILE';
const largestSecretBytes = 64 * 1024;

type Given = { readonly value: string; readonly file?: string };

export type ReadVariables = {
  readonly settings: Settings;
  /** One line each; the caller can add more. */
  readonly faults: string[];
  isSet(name: VariableName): boolean;
};

/** An empty variable counts as unset, because compose files and shells leave them behind. */
const textOf = (env: Environment, name: string): string | undefined => env[name]?.trim() || undefined;

function reasonOf(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' || code === 'ENOTDIR') return "doesn't exist";
  if (code === 'EACCES' || code === 'EPERM') return "can't be read by this user";
  return `can't be read (${code})`;
}

/** The content of a secret's file, or why it can't be read. No message includes the content. */
function readSecret(file: string): { value: string } | { fault: string } {
  try {
    const stats = statSync(file);
    if (!stats.isFile()) return { fault: "isn't a regular file" };
    if (stats.size > largestSecretBytes) return { fault: `is larger than ${largestSecretBytes / 1024} KB` };
    const value = readFileSync(file, 'utf8').replace(/\r?\n$/, '');
    if (value.trim() === '') return { fault: 'is empty' };
    return /[\r\n\0]/.test(value) ? { fault: 'has more than one line' } : { value };
  } catch (error) {
    return { fault: reasonOf(error) };
  }
}

function given(env: Environment, name: VariableName, faults: string[]): Given | undefined {
  const value = textOf(env, name);
  const fileName = `${name}${fileSuffix}`;
  const file = table[name].secret ? textOf(env, fileName) : undefined;
  if (file === undefined) return value === undefined ? undefined : { value };
  if (value !== undefined) {
    faults.push(`${name} and ${fileName} are both set. Remove one of them.`);
    return { value };
  }
  const read = readSecret(file);
  if ('value' in read) return { value: read.value, file };
  faults.push(`${fileName} is ${JSON.stringify(file)}. That file ${read.fault}. Use a file with the value of ${name}.`);
  return undefined;
}

/** Reads the `wanted` variables; the others get their default. */
export function readVariables(env: Environment, wanted: readonly VariableName[] = names): ReadVariables {
  const faults = misspelledNames(env);
  const set = new Set<string>();
  const entries = names.map((name) => {
    const { schema, use, shown, standard } = table[name];
    const found = wanted.includes(name) ? given(env, name, faults) : undefined;
    if (found) set.add(name);
    const text = found?.value ?? standard;
    if (text === undefined) return [name, undefined];
    const result = schema.safeParse(text);
    if (result.success) return [name, result.data];
    const from = found?.file === undefined ? '' : ` from ${JSON.stringify(found.file)}`;
    faults.push(`${name}${from} ${shown(text)}. Use ${use}.`);
    return [name, undefined];
  });
  // An unreadable file is reported as such, not as unset.
  const isSet = (name: VariableName) => set.has(name) || textOf(env, `${name}${fileSuffix}`) !== undefined;
  return { settings: Object.fromEntries(entries) as Settings, faults, isSet };
}

/** A variable with its value as a message can show it: `HOST is "::"`, with secrets masked. */
export function describeSetting(env: Environment, name: VariableName): string {
  const { shown, standard } = table[name];
  const found = given(env, name, []);
  if (found)
    return `${name}${found.file === undefined ? '' : ` from ${JSON.stringify(found.file)}`} ${shown(found.value)}`;
  return standard === undefined ? `${name} isn't set` : `${name} ${shown(standard)}`;
}

/** Prefixes of our names: other variables with such a prefix are probably meant for us. */
const families = /^(DATABASE|DEMO|FILES|LINK_SECRET|METABASE|METRICS|OIDC|SMTP|TOP5|COMPANY|ADMIN)_/;
/** Kubernetes and Docker set variables like these for services called `database` or `smtp`. */
const serviceLink = /_SERVICE_(HOST|PORT)(_\w+)?$|_PORT_\d+_(TCP|UDP)(_(PROTO|PORT|ADDR))?$|_ENV_\w+$/;
const servicePort = /_PORT=(tcp|udp):\/\//;

const known = new Set<string>([
  ...names,
  ...names.filter((name) => table[name].secret).map((name) => name + fileSuffix),
]);

/** What examples/postgres/create-database.sh is given. */
const scriptVariables = ['DATABASE_USER', 'DATABASE_PASSWORD'];

function isForeign(name: string, value: string): boolean {
  if (known.has(name) || scriptVariables.includes(name) || /^(npm|OTEL|PG|_)/.test(name)) return true;
  return serviceLink.test(name) || servicePort.test(`${name}=${value}`);
}

const letters = (text: string): string => [...text].sort().join('');

/** Short names have innocent neighbors, such as POST and HOME, so only swapped letters count. */
function isSlip(name: string, ours: string): boolean {
  const steps = distance(name.toUpperCase(), ours);
  if (letters(name.toUpperCase()) === letters(ours) && steps <= 2) return true;
  return ours.length >= 6 && steps <= (ours.length < 9 ? 1 : 2);
}

/** Of a name with one of our prefixes, only others with it: METABASE_URL doesn't mean DATABASE_URL. */
function nearest(name: string): string {
  const [family] = families.exec(name.toUpperCase()) ?? [];
  const steps = (ours: string) => distance(name.toUpperCase(), ours);
  return [...known]
    .filter((one) => family === undefined || one.startsWith(family))
    .reduce((best, one) => (steps(one) < steps(best) ? one : best));
}

const leastShared = 7;

/** TRUSTED_PROXY or APP_ENVIRONMENT: more than a typo, and not likely another program's. */
function isNear(name: string, ours: string): boolean {
  const given = name.toUpperCase();
  if (given.startsWith(ours) || ours.startsWith(given)) return Math.min(given.length, ours.length) >= leastShared;
  return Math.min(given.length, ours.length) > 9 && distance(given, ours) <= 3;
}

/** What a `.env` file has for other programs that are started with it. */
const oftenInFiles = /^(NODE_|UV_|SSL_|COMPOSE_|POSTGRES_|LC_|TZ$|LANG$)|_PROXY$/i;

function linesIn(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // There is none, or only the user who starts the server can read it.
    return '';
  }
}

/** The names in a `.env` file: a shell's environment is full of other programs' names, the file isn't. */
export function namesInFile(file: string): ReadonlySet<string> {
  const lines = linesIn(file).matchAll(/^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=/gm);
  return new Set([...lines].map(([, name]) => name!).filter((name) => !oftenInFiles.test(name)));
}

/** A name one typo away from ours stops the start: a misspelled DATABASE_URL would open another database. */
function misspelledNames(env: Environment): string[] {
  return unknownNames(env)
    .filter((name) => isSlip(name, nearest(name)))
    .map((name) => `${name} isn't a setting. Did you mean ${nearest(name)}?`);
}

/** Names that look like ours but could belong to another program. They get a warning only. */
export function doubtfulNames(env: Environment, inFile: ReadonlySet<string> = new Set()): string[] {
  return unknownNames(env)
    .filter((name) => !isSlip(name, nearest(name)))
    .flatMap((name) => {
      const unread = names.find((one) => !table[one].secret && `${one}${fileSuffix}` === name);
      if (unread) return [`${name} is ignored, because only secrets can come from a file. Set ${unread} instead.`];
      const [family] = families.exec(name) ?? [];
      if (isNear(name, nearest(name)))
        return [`${name} is ignored, because it isn't a setting. Did you mean ${nearest(name)}?`];
      if (family === undefined)
        return inFile.has(name) ? [`${name} in .env is ignored, because it isn't a setting.`] : [];
      const real = names.filter((one) => one.startsWith(family)).join(', ');
      return [`${name} is ignored, because it isn't a setting. Settings that begin with ${family}: ${real}.`];
    });
}

function unknownNames(env: Environment): string[] {
  return Object.keys(env)
    .filter((name) => textOf(env, name) !== undefined && !isForeign(name, textOf(env, name) ?? ''))
    .sort();
}
