// Puts a new LINK_SECRET into .env, or the file that is named, and keeps the one before as LINK_SECRET_ALSO.
// Plain JavaScript: it runs on the Node of the machine.
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSecretLines, readKeptSecret, replaceFile } from './env-file.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const file = resolve(process.argv[2] ?? join(root, '.env'));

function fail(line) {
  console.error(line);
  process.exit(1);
}

function orFail(read) {
  try {
    return read();
  } catch (error) {
    return fail(error.message);
  }
}

if (!existsSync(file)) fail(`There is no ${file}. Change LINK_SECRET where you set it.`);
const text = readFileSync(file, 'utf8');
const settings = orFail(() => parseSecretLines(text, file));
for (const name of ['LINK_SECRET', 'LINK_SECRET_ALSO'])
  if (process.env[name]) fail(`${name} is set in the environment, which wins over ${file}. Change it there.`);
const secretFile = process.env.LINK_SECRET_FILE || settings.get('LINK_SECRET_FILE');
if (secretFile)
  fail(
    `LINK_SECRET is in ${secretFile}. Copy it to another file, name that in LINK_SECRET_ALSO_FILE, and then write a new secret into ${secretFile}: openssl rand -hex 32`,
  );
const isOwn = !(process.env.DATABASE_URL || settings.get('DATABASE_URL') || settings.get('DATABASE_URL_FILE'));
const keptIn = join(resolve(root, process.env.DATA_DIR || settings.get('DATA_DIR') || 'data'), 'link-secret');
const kept = isOwn && existsSync(keptIn) ? orFail(() => readKeptSecret(keptIn)) : '';
const also = settings.get('LINK_SECRET_ALSO') || settings.get('LINK_SECRET_ALSO_FILE');

const secretLine = /^\s*(?:export\s+)?LINK_SECRET\s*=/;
// As it was written: quotes belong to it.
const before = settings.get('LINK_SECRET')
  ? text.split(/\r?\n/).find((line) => secretLine.test(line))
  : `LINK_SECRET=${kept}`;

if (also && settings.get('LINK_SECRET')) {
  console.log('LINK_SECRET_ALSO is set already, so nothing was changed. Restart the server, then remove that line.');
} else if (also && kept && kept !== also) {
  fail(`LINK_SECRET is in ${keptIn}, and ${file} has another LINK_SECRET_ALSO. Remove that line first.`);
} else if (!also && !settings.get('LINK_SECRET') && !kept) {
  fail(`LINK_SECRET is neither in ${file} nor in ${keptIn}. Change it where you set it.`);
} else {
  // With a LINK_SECRET_ALSO alone, an earlier run was interrupted: only the new secret is missing.
  const replaced = also ? secretLine : /^\s*(export\s+)?LINK_SECRET(_ALSO)?\s*=/;
  const others = text.split('\n').filter((line) => !replaced.test(line));
  const secrets = [
    ...(also ? [] : [before.replace(secretLine, 'LINK_SECRET_ALSO=')]),
    `LINK_SECRET=${randomBytes(32).toString('hex')}`,
    '',
  ];
  orFail(() => replaceFile(file, [others.join('\n').trimEnd(), ...secrets].join('\n')));
  console.log('LINK_SECRET is new. The one before is LINK_SECRET_ALSO until you remove that line.');
}
