// Runs the bundle. Plain JavaScript, because an older Node has to read as far as the line that refuses it.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const OLDEST_NODE = 24;
const server = new URL('../build/server/main.js', import.meta.url);
// Not in an image, which has no checkout and gets its variables from its container.
const envReader = new URL('../scripts/env-file.mjs', import.meta.url);

function fail(line) {
  console.error(line);
  process.exit(1);
}

if (Number(process.versions.node.split('.')[0]) < OLDEST_NODE)
  fail(`Node ${OLDEST_NODE} or later is needed, this is ${process.versions.node}: https://nodejs.org`);
if (!existsSync(server)) fail('The server is not built yet. Run: npm run build');
if (existsSync(envReader)) {
  const { loadEnvFile } = await import(envReader.href);
  try {
    for (const line of loadEnvFile(fileURLToPath(new URL('../.env', import.meta.url)))) console.error(line);
  } catch (error) {
    fail(error.message);
  }
}
await import(server.href);
