import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../test/app.ts';
import { builtMain } from '../../../test/built-server.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

async function admin(parameters: readonly string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [builtMain, 'admin', ...parameters], {
    env: { PATH: process.env.PATH, DATABASE_URL: app.databaseUrl, ...env },
  });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const [out, error, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, out: out.trim(), error: error.trim() };
}

it('what is asked of nobody, or of a role that is not there, is refused and changes nothing', async () => {
  const email = 'plain@example.test';
  await app.person({ email, role: 'Staff' });
  const ends = await Promise.all([
    admin(['disable', 'nobody@example.test']),
    admin(['role', email, 'Nobody']),
    admin(['invite', email]),
    admin(['enable', 'no address']),
  ]);
  expect(ends.map(({ code, out }) => [code, out])).toEqual(ends.map(() => [1, '']));
  expect(ends.map(({ error }) => error)).toEqual([
    'No account has the email address nobody@example.test',
    'There is no role “Nobody”',
    expect.stringContaining('PUBLIC_URL isn’t set'),
    expect.stringContaining('is not an email address'),
  ]);
  const wrong = await admin(['invite', email], { PUBLIC_URL: 'not an address' });
  expect([wrong.code, wrong.out]).toEqual([1, '']);
  expect(wrong.error).toMatch(/^PUBLIC_URL is "not an address"/);
  expect((await app.database.pool.query('select from audit_log')).rowCount).toBe(0);
});

it('an account is disabled, enabled, given a role and another address, and the audit log has it of nobody', async () => {
  const email = 'outside@example.test';
  const id = await app.person({ email, role: 'Staff' });
  const token = await app.signIn(id);
  expect(await admin(['disable', email])).toMatchObject({ code: 0, out: `${email} is disabled` });
  expect((await app.gql(token, '{ __typename }')).status).toBe(401);
  const enabled = await admin(['enable', email]);
  expect(enabled.code).toBe(0);
  expect(enabled.out).toContain(`${email} is enabled. An existing password works again. Passkeys`);
  expect((await admin(['enable', email])).out).toContain('Nothing changed');
  expect(await admin(['role', email, 'admin'])).toMatchObject({ code: 0, error: '' });
  const changed = 'changed@example.test';
  expect(await admin(['email', email, changed])).toMatchObject({ code: 0, out: `${email} now signs in as ${changed}` });
  expect((await admin(['email', changed, email])).code).toBe(0);
  const { rows } = await app.database.pool.query(
    'select p.role, a.action, a.actor_id from people p join audit_log a on a.subject_id = p.id::text where p.id = $1 order by a.id',
    [id],
  );
  expect(rows).toEqual(
    ['personDisabled', 'personEnabled', 'personChanged', 'personChanged', 'personChanged'].map((action) => ({
      role: 'admin',
      action,
      actor_id: null,
    })),
  );
});

it('every account is listed with its role, last sign-in, state and ways in, for people and for scripts', async () => {
  const invited = await app.person({ email: 'zz-invited@example.test', role: 'Staff' });
  await app.database.pool.query('update people set password_hash = null where id = $1', [invited]);
  await admin(['invite', 'zz-invited@example.test'], { PUBLIC_URL: 'https://staff.example.test' });
  await app.database.pool.query('update people set disabled_at = now() where id = $1', [invited]);
  const { code, out } = await admin(['list-people']);
  const [heading, ...rows] = out.split('\n').map((line) => line.split(/ {2,}/));
  expect([code, heading]).toEqual([0, ['ID', 'EMAIL', 'ROLE', 'LAST SIGN-IN', 'STATE', 'SIGN-IN METHODS']]);
  expect(rows.map(([, email, role]) => [email, role])).toEqual([
    ['outside@example.test', 'admin'],
    ['plain@example.test', 'Staff'],
    ['zz-invited@example.test', 'Staff'],
  ]);
  expect(rows[0]?.[3]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  expect([rows[2]?.[0], ...(rows[2]?.slice(3) ?? [])]).toEqual([invited, '-', 'disabled', 'open link']);
  const json = (await admin(['list-people', '--json'])).out.split('\n').map((line) => JSON.parse(line));
  expect(json.map(({ email }) => email)).toEqual(rows.map(([, email]) => email));
});

it('the last admin stays from outside too', async () => {
  await app.database.pool.query("update people set password_hash = 'x' where email = 'outside@example.test'");
  const ends = [await admin(['disable', 'outside@example.test']), await admin(['role', 'outside@example.test'])];
  expect(ends.map(({ code, error }) => [code, error.includes('last admin')])).toEqual([
    [1, true],
    [1, true],
  ]);
});

it('an invitation is printed as an address that is good once', async () => {
  const email = 'link@example.test';
  await app.person({ email, role: 'Staff' });
  const { out } = await admin(['invite', email], { PUBLIC_URL: 'https://staff.example.test' });
  const token = /https:\/\/staff\.example\.test\/#invite=([\w-]{43})$/.exec(out)?.[1];
  const post = (url: string, payload: object) => app.call({ method: 'POST', url, payload });
  const password = 'kettle rover eleven';
  const use = () => post('/api/auth/password', { token, password });
  expect([(await use()).statusCode, (await use()).statusCode]).toEqual([200, 403]);
  expect((await post('/api/auth/login', { email, password })).statusCode).toBe(200);
});
