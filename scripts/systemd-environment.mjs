// Writes `.env` as systemd reads settings: `node scripts/systemd-environment.mjs .env FILE`. systemd knows
// neither `export` nor a comment after a value, and reads a backslash in its own way. Plain JavaScript, because
// it runs on the Node of the machine.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseEnvFile } from './env-file.mjs';

const [source, target] = process.argv.slice(2);

const quoted = (value) => (/^[\w./:@%+=,?&~-]*$/.test(value) ? value : `"${value.replace(/[\\"`$]/g, '\\$&')}"`);

try {
  if (target === undefined) throw new Error('Usage: node scripts/systemd-environment.mjs .env FILE');
  const settings = parseEnvFile(readFileSync(source, 'utf8'), source);
  // The unit sets it.
  settings.delete('DATA_DIR');
  mkdirSync(dirname(target), { recursive: true });
  // A new file has its mode from the start.
  rmSync(target, { force: true });
  writeFileSync(target, [...settings].map(([name, value]) => `${name}=${quoted(value)}\n`).join(''), { mode: 0o600 });
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
