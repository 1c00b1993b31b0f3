// Puts the LINK_SECRET of DATA_DIR into `.env`, or the file that is named, unless that has one. Plain
// JavaScript: it runs on the Node of the machine.
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseSecretLines, readKeptSecret, replaceFile } from './env-file.mjs';

const [target = '.env'] = process.argv.slice(2);
try {
  if (!existsSync(target)) throw new Error(`There is no ${resolve(target)}. Set LINK_SECRET where you set the rest.`);
  const text = readFileSync(target, 'utf8');
  const settings = parseSecretLines(text, target);
  if (!settings.get('LINK_SECRET') && !settings.get('LINK_SECRET_FILE')) {
    const file = join(process.env.DATA_DIR || settings.get('DATA_DIR') || 'data', 'link-secret');
    if (!existsSync(file))
      throw new Error(
        `LINK_SECRET is neither in ${target} nor in ${file}. Restore the line in ${target}. If it's lost, set a new one and run: npm run admin -- adopt-link-secret`,
      );
    const others = text.split('\n').filter((line) => !/^\s*(export\s+)?LINK_SECRET\s*=/.test(line));
    replaceFile(target, [others.join('\n').trimEnd(), `LINK_SECRET=${readKeptSecret(file)}`, ''].join('\n'));
  }
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
