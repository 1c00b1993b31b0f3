// The server as `npm start` and the image run it: one bundle, which must behave like the sources.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { builtMain } from '../../test/built-server.ts';
import { freshDatabase } from '../../test/database.ts';
import { signInOver, spawnServer } from '../../test/server-process.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const dataDir = mkdtempSync(join(tmpdir(), 'built-'));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

test('the bundle keeps its version when the checkout around it becomes another one', async () => {
  const checkout = mkdtempSync(join(tmpdir(), 'pulled-'));
  onTestFinished(() => rmSync(checkout, { recursive: true }));
  cpSync(dirname(builtMain), join(checkout, 'build/server'), { recursive: true });
  writeFileSync(join(checkout, 'package.json'), '{ "type": "module", "version": "9.9.9" }');
  symlinkSync(join(root, 'node_modules'), join(checkout, 'node_modules'));
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const words = [join(checkout, 'build/server/main.js'), 'version'];
  expect(execFileSync(process.execPath, words, { encoding: 'utf8' })).toBe(`${version}\n`);
});

test('the bundle migrates a database, signs people in, answers queries, compiled ones too, and reads files aside', async () => {
  const database = await freshDatabase();
  const account = { email: 'admin@example.test', password: 'a password for the first admin' };
  const server = spawnServer({
    env: {
      DATA_DIR: dataDir,
      DATABASE_URL: database.url,
      LINK_SECRET: '0123456789abcdef0123456789abcdef',
      ADMIN_EMAIL: account.email,
      ADMIN_PASSWORD: account.password,
    },
  });
  try {
    const url = await server.listening();
    const ask = async (token: string, query: string) => {
      const response = await fetch(`${url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: JSON.stringify({ query }),
      });
      return [response.status, await response.json()];
    };
    const refused = { data: null, errors: [{ extensions: { code: 'NOT_SIGNED_IN' } }] };
    expect(await ask('nobody', '{ getUsers { id } }')).toMatchObject([401, refused]);
    const token = await signInOver(url, account);
    for (let round = 0; round < 3; round += 1) {
      const answer = await ask(token, '{ myWeek { sprint { current } tasks { id } } }');
      expect(answer).toEqual([200, { data: { myWeek: { sprint: { current: true }, tasks: [] } } }]);
    }
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    // Read by a worker thread from a file of the bundle.
    const preview = await fetch(`${url}/api/import/orders/preview`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ sample: Buffer.from('a,b\n1,2\n').toString('base64'), isWhole: true }),
    });
    expect(await preview.json()).toMatchObject({ format: 'csv', columns: ['a', 'b'], rows: [{ values: ['1', '2'] }] });
  } finally {
    await server.stop();
    await database.drop();
  }
});
