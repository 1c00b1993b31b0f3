// Puts the LINK_SECRET of DATA_DIR into `.env`, unless that has one. Plain JavaScript: it runs on the Node of
// the machine.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnvFile, replaceFile } from './env-file.mjs';

try {
  const text = readFileSync('.env', 'utf8');
  const settings = parseEnvFile(text, '.env');
  if (!settings.get('LINK_SECRET') && !settings.get('LINK_SECRET_FILE')) {
    const secret = readFileSync(join(settings.get('DATA_DIR') || 'data', 'link-secret'), 'utf8').trim();
    const others = text.split('\n').filter((line) => !/^\s*(export\s+)?LINK_SECRET\s*=/.test(line));
    replaceFile('.env', [others.join('\n').trimEnd(), `LINK_SECRET=${secret}`, ''].join('\n'));
  }
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
