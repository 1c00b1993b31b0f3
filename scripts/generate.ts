// Writes the files that are made from others: migrations from the tables, schema.graphql from the server's
// fields, the web's types from schema.graphql, the manual's tables and .env.example from the variables. With
// --check it writes nothing and fails when one of them is not up to date.
import 'temporal-polyfill/global';
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { lexicographicSortSchema, printSchema } from 'graphql';
import { envExample, renewedManual } from './configuration-documents.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const schemaFile = join(root, 'schema.graphql');
const webTypesFile = join(root, 'src', 'web', 'api', 'graphql-env.d.ts');
const manualFile = join(root, 'docs', 'configuration.md');
const envExampleFile = join(root, '.env.example');
const serverFolder = join(root, 'src', 'server');
const migrationsFolder = join(serverFolder, 'platform', 'db', 'migrations');

const { values: options } = parseArgs({
  options: { check: { type: 'boolean', default: false }, name: { type: 'string' } },
});

function run(program: string, parameters: readonly string[]): void {
  execFileSync(process.execPath, [join(root, 'node_modules', program), ...parameters], {
    cwd: root,
    stdio: ['inherit', 'ignore', 'inherit'],
  });
}

async function printedSchema(): Promise<string> {
  const { schema } = await import('../src/server/schema.ts');
  return `${printSchema(lexicographicSortSchema(schema))}\n`;
}

/** What `drizzle.config.ts` names: the tables of every area. */
async function allTables(): Promise<Record<string, unknown>> {
  const files = readdirSync(serverFolder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    /(^|[\\/-])tables\.ts$/.test(path),
  );
  return Object.assign({}, ...(await Promise.all(files.map((path) => import(join(serverFolder, path))))));
}

/** The tables after each migration, as drizzle-kit writes them. It needs only the newest. */
const snapshots = (): string[] =>
  globSync('meta/*_snapshot.json', { cwd: migrationsFolder })
    .sort()
    .map((name) => join(migrationsFolder, name));

/** The statements that would bring the newest migration to the tables as they are now. */
async function missingStatements(): Promise<string[]> {
  // drizzle-kit is CommonJS and says so in no way that an import could read.
  const { generateDrizzleJson, generateMigration } = createRequire(import.meta.url)('drizzle-kit/api');
  const newest = snapshots().at(-1);
  const before = newest ? JSON.parse(readFileSync(newest, 'utf8')) : generateDrizzleJson({});
  return generateMigration(before, generateDrizzleJson(await allTables(), before.id));
}

function webTypes(file: string): void {
  run('gql.tada/bin/cli.js', ['generate-output', '--tsconfig', 'src/web/tsconfig.json', '--output', file]);
}

function webTypesNow(): string {
  const folder = mkdtempSync(join(tmpdir(), 'generate-'));
  try {
    const file = join(folder, 'graphql-env.d.ts');
    webTypes(file);
    return readFileSync(file, 'utf8');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function isSame(file: string, content: string): boolean {
  return existsSync(file) && readFileSync(file, 'utf8') === content;
}

async function check(): Promise<void> {
  const stale: string[] = [];
  if (snapshots().length !== 1 || (await missingStatements()).length > 0)
    stale.push('src/server/platform/db/migrations');
  if (!isSame(schemaFile, await printedSchema())) stale.push('schema.graphql');
  if (!isSame(webTypesFile, webTypesNow())) stale.push('src/web/api/graphql-env.d.ts');
  if (!isSame(manualFile, renewedManual(readFileSync(manualFile, 'utf8')))) stale.push('docs/configuration.md');
  if (!isSame(envExampleFile, envExample())) stale.push('.env.example');
  for (const file of stale) console.error(`${file} is not up to date: run npm run generate and commit it.`);
  process.exitCode = stale.length > 0 ? 1 : 0;
}

async function generate(): Promise<void> {
  writeFileSync(manualFile, renewedManual(readFileSync(manualFile, 'utf8')));
  writeFileSync(envExampleFile, envExample());
  run('drizzle-kit/bin.cjs', ['generate', ...(options.name ? ['--name', options.name] : [])]);
  for (const former of snapshots().slice(0, -1)) rmSync(former);
  writeFileSync(schemaFile, await printedSchema());
  webTypes(webTypesFile);
}

await (options.check ? check() : generate());
