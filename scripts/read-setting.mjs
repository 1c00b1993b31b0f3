// Prints a setting of `.env`, for the manual's blocks: `node scripts/read-setting.mjs NAME DEFAULT`.
import { existsSync, readFileSync } from 'node:fs';
import { parseEnvFile } from './env-file.mjs';

const [name, otherwise] = process.argv.slice(2);
const text = existsSync('.env') ? readFileSync('.env', 'utf8') : '';
console.log(parseEnvFile(text, '.env').get(name) || otherwise);
