// Puts the LINK_SECRET of DATA_DIR into `.env`, unless that has one. Plain JavaScript: it runs on the Node of
// the machine.
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseEnvFile, replaceFile } from './env-file.mjs';

try {
  if (!existsSync('.env')) throw new Error(`There is no ${resolve('.env')}. Set LINK_SECRET where you set the rest.`);
  const text = readFileSync('.env', 'utf8');
  const settings = parseEnvFile(text, '.env');
  if (!settings.get('LINK_SECRET') && !settings.get('LINK_SECRET_FILE')) {
    const file = join(settings.get('DATA_DIR') || 'data', 'link-secret');
    if (!existsSync(file))
      throw new Error(
        `LINK_SECRET is neither in .env nor in ${file}. Restore the line in .env. If it's lost, set a new one and run: npm run admin -- adopt-link-secret`,
      );
    const secret = readFileSync(file, 'utf8').trim();
    const others = text.split('\n').filter((line) => !/^\s*(export\s+)?LINK_SECRET\s*=/.test(line));
    replaceFile('.env', [others.join('\n').trimEnd(), `LINK_SECRET=${secret}`, ''].join('\n'));
  }
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
