// Prints a setting of `.env`, for scripts: `node scripts/read-setting.mjs NAME DEFAULT`.
import { readFileSync } from 'node:fs';
import { parseEnvFile } from './env-file.mjs';

const [name, otherwise] = process.argv.slice(2);
try {
  console.log(parseEnvFile(readFileSync('.env', 'utf8'), '.env').get(name) || otherwise);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
