// Puts a new LINK_SECRET into .env, or the file that is named, and keeps the one before as LINK_SECRET_ALSO.
// Plain JavaScript: it runs on the Node of the machine.
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseEnvFile } from './env-file.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const file = resolve(process.argv[2] ?? join(root, '.env'));

function fail(line) {
  console.error(line);
  process.exit(1);
}

if (!existsSync(file)) fail(`There is no ${file}. Change LINK_SECRET where you set it.`);
const text = readFileSync(file, 'utf8');
const settings = parseEnvFile(text, file);
const keptIn = join(resolve(root, settings.get('DATA_DIR') || process.env.DATA_DIR || 'data'), 'link-secret');
const readKept = () => (!settings.get('DATABASE_URL') && existsSync(keptIn) ? readFileSync(keptIn, 'utf8').trim() : '');

if (settings.get('LINK_SECRET_ALSO')) {
  console.log('LINK_SECRET_ALSO is set already, so nothing was changed. Restart the server, then remove that line.');
} else {
  const before = settings.get('LINK_SECRET') || readKept();
  if (!before) fail(`LINK_SECRET is neither in ${file} nor in ${keptIn}. Change it where you set it.`);
  const others = text.split('\n').filter((line) => !/^\s*(export\s+)?LINK_SECRET(_ALSO)?\s*=/.test(line));
  const secrets = [`LINK_SECRET_ALSO=${before}`, `LINK_SECRET=${randomBytes(32).toString('hex')}`, ''];
  writeFileSync(file, [others.join('\n').trimEnd(), ...secrets].join('\n'));
  console.log('LINK_SECRET is new. The one before is LINK_SECRET_ALSO until you remove that line.');
}
