// Runs the bundle. Plain JavaScript, because an older Node has to read as far as the line that refuses it.
import { accessSync, constants, existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const OLDEST_NODE = 24;
const inCheckout = (path) => new URL(`../${path}`, import.meta.url);
const server = inCheckout('build/server/main.js');
// Not in an image, which has no checkout and gets its variables from its container.
const envReader = inCheckout('scripts/env-file.mjs');
const stampReader = inCheckout('scripts/build-stamp.ts');

function fail(line) {
  console.error(line);
  process.exit(1);
}

function codeOfReading(url) {
  try {
    accessSync(url, constants.R_OK);
    return undefined;
  } catch ({ code }) {
    return code;
  }
}

// A build under a strict umask belongs to its maker alone.
function assertReadable() {
  const needed = ['build', 'dist', 'node_modules'].map((name) => fileURLToPath(inCheckout(name)));
  const closed = [fileURLToPath(server), ...needed].find((path) => codeOfReading(path) === 'EACCES');
  if (closed)
    fail(
      `This user can't read ${closed}. As its owner, run: chmod -R a+rX ${needed.map((path) => `'${path}'`).join(' ')}`,
    );
}

// After a `git pull` alone the old build goes on.
async function warnOfOtherSources() {
  if (!existsSync(stampReader) || !existsSync(inCheckout('build/server/.build-stamp'))) return;
  const { stampOfBuild, stampOfServer } = await import(stampReader.href);
  const built = stampOfBuild(fileURLToPath(inCheckout('build/server')));
  if (built !== stampOfServer(fileURLToPath(inCheckout('.'))))
    console.error("The build doesn't match the sources. Run: npm run build");
}

if (Number(process.versions.node.split('.')[0]) < OLDEST_NODE)
  fail(
    `Node ${OLDEST_NODE} or later is needed, this is ${process.versions.node}. ${process.platform === 'linux' ? 'Run: npm run build, which installs one' : 'Get it: https://nodejs.org'}`,
  );
assertReadable();
if (!existsSync(server)) fail('The server is not built yet. Run: npm run build');
const [command = 'serve'] = process.argv.slice(2);
if (command === 'serve' && !existsSync(inCheckout('dist/index.html')))
  fail('The pages are not built yet. Run: npm run build');
await warnOfOtherSources().catch(() => {
  // Sources that this user can't read say nothing about the build.
});
if (existsSync(envReader)) {
  const { loadEnvFile } = await import(envReader.href);
  try {
    for (const line of loadEnvFile(fileURLToPath(inCheckout('.env')))) console.error(line);
  } catch (error) {
    fail(error.message);
  }
}
await import(server.href).catch((error) => {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
  fail('The build is incomplete. Run: npm run build');
});
