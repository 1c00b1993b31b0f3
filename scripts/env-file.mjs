// Reads `.env` of the checkout into the environment, for `npm start` and the npm commands, and changes it.
// Plain JavaScript, because it runs on the Node of the machine.
import {
  chownSync,
  closeSync,
  constants,
  fsyncSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';

const line = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^"'#\s](?:.*?\S)??)?)\s*(?:\s#.*)?$/;

// What the manual adds by `echo NAME=value >> .env` joins a last line without an end: a value, or a comment.
const added = '(?:DATABASE_URL|DATA_DIR|DRAIN_SECONDS|LINK_SECRET)=';
const joined = new RegExp(added);
const joinedComment = new RegExp(`[^\\s#_"'(\`]${added}`);

/**
 * The variables in the text of a `.env` file. Throws one line for each line that can't be read, and adds to
 * `warnings` where a comment may have been meant as part of the value.
 */
export function parseEnvFile(text, file, warnings = []) {
  const variables = new Map();
  const faults = [];
  for (const [index, content] of text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .entries()) {
    const at = `Line ${index + 1} of ${file}`;
    if (joinedComment.test(/(?:^|\s)#.*$/.exec(content)?.[0] ?? ''))
      warnings.push(`${at}: a comment isn't read. If a setting joined it, start a new line there.`);
    if (/^\s*(#.*)?$/.test(content)) continue;
    const [matched, name, double, single, bare] = line.exec(content) ?? [];
    // The content may be a secret that lost its name, so it is never shown.
    if (matched === undefined)
      faults.push(
        `${at} can't be read. Write NAME=value, NAME="value" for a value with spaces, or NAME='value' for one with ".`,
      );
    else if (variables.has(name)) faults.push(`${at} sets ${name} again. Remove one of the two lines.`);
    else if (joined.test(bare ?? ''))
      faults.push(`${at}: ${name} has another setting in it. Start a new line there, or write ${name}="value".`);
    else variables.set(name, double ?? single ?? bare ?? '');
    if (/\s/.test(bare ?? '') && /\s#/.test(content))
      warnings.push(`${at}: ${name} ends before the #. If it goes on, write ${name}="value".`);
  }
  if (faults.length > 0) throw new Error(faults.join('\n'));
  return variables;
}

const databaseAddresses = ['DATABASE_DIRECT_URL', 'DATABASE_REPLICA_URL'];
const settingOf = (name) => name.replace(/_FILE$/, '');

function readAsOwner(file) {
  try {
    return readFileSync(file);
  } catch (error) {
    if (error.code !== 'EACCES') throw error;
    throw new Error(`This user can't read ${file}. Run this as its owner.`);
  }
}

/**
 * Sets what the file says and the environment doesn't; returns lines for the operator. NAME and NAME_FILE are
 * one setting: an empty NAME in the environment unsets either. Other addresses of the file's database don't
 * join one from the environment.
 */
export function loadEnvFile(file, env = process.env) {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats) return [];
  // The image and the systemd unit set both, and have their settings elsewhere.
  if (env.NODE_ENV === 'production') {
    const unread = `${file} isn't read, because NODE_ENV is "production".`;
    if (env.APP_ENV) return [unread];
    throw new Error(`${unread} Unset NODE_ENV, or set APP_ENV and the other settings in the environment.`);
  }
  if (!stats.isFile())
    throw new Error(`${file} isn't a regular file. Remove it, or make it a file with lines like NAME=value.`);
  const bytes = readAsOwner(file);
  if (bytes.includes(0)) throw new Error(`${file} isn't UTF-8 text. Save it as UTF-8.`);
  const warnings = [];
  const given = new Set(Object.keys(env).map(settingOf));
  if (given.has('DATABASE_URL')) for (const name of databaseAddresses) given.add(name);
  for (const [name, value] of parseEnvFile(bytes.toString('utf8'), file, warnings))
    if (!given.has(settingOf(name))) env[name] = value;
  const isOpen = process.platform !== 'win32' && (stats.mode & 0o004) !== 0;
  if (isOpen) warnings.push(`Every user of this machine can read ${file}. Run: chmod 600 '${file}'`);
  return warnings;
}

/** What says where LINK_SECRET is. systemd escapes quotes in its own way, so no other lines are read. */
export const parseSecretLines = (text, file) =>
  parseEnvFile(
    text
      .split('\n')
      .map((line) => (/LINK_SECRET|DATABASE_URL|DATA_DIR/.test(line) ? line : ''))
      .join('\n'),
    file,
  );

/** The secret that a server made. Its folder can be another user's: a link there could lead root to any file. */
export function readKeptSecret(file) {
  try {
    return readFileSync(file, { encoding: 'utf8', flag: constants.O_RDONLY | constants.O_NOFOLLOW }).trim();
  } catch (error) {
    throw new Error(`Can't read ${file}: ${error.code === 'ELOOP' ? "it's a link" : error.message}`);
  }
}

/** Completely or not at all: a full disk or a power cut loses no secret. Keeps the file's owner and mode. */
export function replaceFile(file, content) {
  const path = realpathSync(file);
  const { mode, uid, gid } = statSync(path);
  const draft = `${path}.draft-${process.pid}`;
  try {
    const descriptor = openSync(draft, 'wx', mode & 0o777);
    writeFileSync(descriptor, content);
    fsyncSync(descriptor);
    closeSync(descriptor);
    chownSync(draft, uid, gid);
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw new Error(`${path} is unchanged: ${error.message}`);
  }
}
