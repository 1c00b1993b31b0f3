import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp, wednesday } from '../../../../test/app.ts';
import type { Misbehavior, PasskeyDevice } from '../../../../test/passkey-device.ts';
import { PasskeyDevice as Device } from '../../../../test/passkey-device.ts';
import { addPasskey, origin, post, signInWithPassword, withPassword } from '../../../../test/second-factors.ts';

let app: TestApp;
let email: string;
let id: string;
let count = 0;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());
beforeEach(async () => {
  app.clock.set(wednesday);
  await app.database.pool.query('delete from challenges');
  count += 1;
  email = `passkeys${count}@example.test`;
  id = await withPassword(app, { email });
});

const ask = async (times: number, call: () => ReturnType<typeof post>) => {
  const codes = [];
  for (let batch = 0; batch < times / 10; batch += 1)
    codes.push(...(await Promise.all(Array.from({ length: 10 }, call))).map(({ code }) => code));
  return codes;
};
const options = async () => (await post(app, 'passkey-sign-in/options', null)).body;
const signIn = async (device: PasskeyDevice, wrong: Misbehavior = {}) =>
  post(app, 'passkey-sign-in', null, { passkey: device.assert(await options(), wrong) });
const isOpen = async (token: string) => (await app.gql(token, '{ __typename }')).status === 200;
const kept = async () =>
  (await app.database.pool.query('select name, counter::int from passkeys where person_id = $1', [id])).rows;
const sessions = async () =>
  (await app.database.pool.query('select count(*)::int as n from sessions where person_id = $1', [id])).rows[0].n;

const wrongs: [string, Misbehavior, string][] = [
  ['another origin', { origin: 'https://staff.example.evil' }, 'This passkey belongs to another address'],
  ['another site', { rpId: 'example.evil' }, 'This passkey didn’t work'],
  ['a challenge nobody gave', { challenge: 'A'.repeat(43) }, 'That took too long or was already used'],
  ['another act', { type: 'webauthn.other' }, 'This passkey didn’t work'],
  ['nobody there', { userPresent: false }, 'This passkey didn’t work'],
];

describe('a new passkey', () => {
  it('sets no new password for a day: a thief with a copied session could add one and lock its owner out', async () => {
    const token = await app.signIn(id);
    const device = await addPasskey(app, token);
    const set = async (session: string) => {
      const passkey = device.assert((await post(app, 'second-step/options', session)).body);
      return post(app, 'change-password', session, { password: 'another walnut harbor', passkey });
    };
    const refused = await set(token);
    expect([refused.status, refused.code]).toEqual([403, 'PASSKEY_REFUSED']);
    expect(refused.body.error.message).toBe('This passkey was added in the last 24 hours. Enter your current password');
    // Not even where it is all that signed in.
    expect((await set((await signIn(device)).body.token)).code).toBe('PASSKEY_REFUSED');
    app.clock.set(app.clock.now().add({ hours: 24 }));
    expect((await set((await signIn(device)).body.token)).status).toBe(200);
  });

  it.each(wrongs)('with %s is refused in one sentence, and nothing is kept', async (_, wrong, words) => {
    const token = await app.signIn(id);
    const asked = (await post(app, 'passkeys/options', token)).body;
    const passkey = new Device(origin).register(asked, wrong);
    const answer = await post(app, 'passkeys', token, { name: 'Laptop', passkey });
    expect([answer.status, answer.code]).toEqual([403, 'PASSKEY_REFUSED']);
    expect(answer.body.error.message).toContain(words);
    expect(await kept()).toEqual([]);
  });

  it('needs a proof of the last ten minutes, a challenge of its own session that is five minutes old at most, and works once', async () => {
    const token = await app.signIn(id);
    const asked = (await post(app, 'passkeys/options', token)).body;
    const passkey = new Device(origin).register(asked);
    const elsewhere = await app.signIn(id);
    expect((await post(app, 'passkeys', elsewhere, { name: 'Laptop', passkey })).code).toBe('PASSKEY_REFUSED');
    // That uses up its challenge.
    expect((await post(app, 'passkeys', token, { name: 'Laptop', passkey })).code).toBe('PASSKEY_REFUSED');
    const late = (await post(app, 'passkeys/options', token)).body;
    app.clock.set(app.clock.now().add({ minutes: 5 }));
    const answer = await post(app, 'passkeys', token, { name: 'Laptop', passkey: new Device(origin).register(late) });
    expect(answer.body.error.message).toContain('That took too long');
    app.clock.set(app.clock.now().add({ minutes: 6 }));
    expect((await post(app, 'passkeys/options', token)).code).toBe('CONFIRM_IDENTITY');
    expect(await kept()).toEqual([]);
  });

  it('is kept with its name, is not taken twice, and brings recovery codes', async () => {
    const token = await app.signIn(id);
    const device = new Device(origin);
    const asked = (await post(app, 'passkeys/options', token)).body;
    expect(asked).toMatchObject({ rp: { id: 'localhost', name: 'Staff dashboard' }, user: { name: email } });
    const answer = await post(app, 'passkeys', token, { name: '  Work laptop ', passkey: device.register(asked) });
    expect(answer.body).toMatchObject({ recoveryCodes: { length: 10 }, token: null });
    expect(await kept()).toEqual([{ name: 'Work laptop', counter: 0 }]);
    const again = (await post(app, 'passkeys/options', token)).body;
    expect(again.excludeCredentials).toEqual([
      { id: device.id.toString('base64url'), transports: ['internal'], type: 'public-key' },
    ]);
    const twice = await post(app, 'passkeys', token, { name: 'Again', passkey: device.register(again) });
    expect([twice.status, twice.body.error.message]).toEqual([409, 'This passkey was already added']);
  });
});

describe('signing in with a passkey', () => {
  it.each([
    ...wrongs,
    ['no check of who holds it', { userVerified: false }, 'This passkey didn’t work'] as const,
    ['another key', { foreignKey: true }, 'This passkey didn’t work'] as const,
    ['another person’s handle', { userHandle: 'OTk5OTk5' }, 'This passkey didn’t work'] as const,
    ['a counter that went back', { counter: 4 }, 'may have been copied'] as const,
    ['a counter that stands', { counter: 5 }, 'may have been copied'] as const,
  ])('with %s is refused in one sentence, and nothing is left half done', async (_, wrong, words) => {
    const device = await addPasskey(app, await app.signIn(id));
    expect((await signIn(device, { counter: 5 })).status).toBe(200);
    const before = await sessions();
    const answer = await signIn(device, wrong);
    expect([answer.status, answer.code]).toEqual([403, 'PASSKEY_REFUSED']);
    expect(answer.body.error.message).toContain(words);
    expect([await sessions(), await kept()]).toEqual([before, [{ name: 'Laptop', counter: 5 }]]);
    expect((await signIn(device, { counter: 6 })).status).toBe(200);
  });

  it('counts as both factors, for somebody with a second step too', async () => {
    const device = await addPasskey(app, await app.signIn(id));
    expect((await signInWithPassword(app, email)).body).toMatchObject({
      next: 'secondStep',
      steps: ['passkey', 'recoveryCode'],
    });
    const { body } = await signIn(device);
    expect(await isOpen(body.token)).toBe(true);
    const { rows } = await app.database.pool.query(
      "select level, method from sessions where method = 'passkey' and person_id = $1",
      [id],
    );
    expect(rows).toEqual([{ level: 'full', method: 'passkey' }]);
  });

  it('refuses a challenge that somebody changed or made up', async () => {
    const device = await addPasskey(app, await app.signIn(id));
    const { challenge } = await options();
    const later = Buffer.from(challenge, 'base64url');
    later.writeUInt8(later.readUInt8(30) ^ 1, 30);
    for (const other of [later, later.subarray(0, 32), randomBytes(later.length)]) {
      const passkey = device.assert({ ...(await options()), challenge: other.toString('base64url') });
      const { body } = await post(app, 'passkey-sign-in', null, { passkey });
      expect(body.error.message).toContain('too long or was already used');
    }
    expect((await signIn(device)).status).toBe(200);
  });

  it('refuses a replayed answer, one for a challenge that ran out, and one of a removed passkey or a disabled person', async () => {
    const device = await addPasskey(app, await app.signIn(id));
    const passkey = device.assert(await options());
    const answers = await Promise.all([1, 2, 3].map(() => post(app, 'passkey-sign-in', null, { passkey })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403, 403]);
    const late = device.assert(await options());
    app.clock.set(app.clock.now().add({ minutes: 5 }));
    expect((await post(app, 'passkey-sign-in', null, { passkey: late })).body.error.message).toContain('too long');
    await app.database.pool.query('update people set disabled_at = now() where id = $1', [id]);
    expect((await signIn(device)).code).toBe('ACCOUNT_DISABLED');
    await app.database.pool.query('delete from passkeys where person_id = $1', [id]);
    expect((await signIn(device)).body.error.message).toContain('isn’t registered here');
  });

  it('stores nothing for strangers, so they block nobody at their address', async () => {
    const count = async (table: string) =>
      (await app.database.pool.query(`select count(*)::int as n from ${table}`)).rows[0].n as number;
    const device = await addPasskey(app, await app.signIn(id));
    const before = [await count('challenges'), await count('audit_log')];
    const unasked = { ...device.assert(await options()), id: 'AAAA', rawId: 'AAAA' };
    const strangers = await ask(340, () => post(app, 'passkey-sign-in/options', null));
    const answers = await ask(30, () => post(app, 'passkey-sign-in', null, { passkey: unasked }));
    expect([new Set(strangers), new Set(answers)]).toEqual([new Set([undefined]), new Set(['PASSKEY_REFUSED'])]);
    // Nor for someone who knows a passkey's id but not its key.
    expect((await signIn(device, { foreignKey: true })).code).toBe('PASSKEY_REFUSED');
    expect([await count('challenges'), await count('audit_log')]).toEqual(before);
    expect((await signIn(device)).status).toBe(200);
  });

  it('records wrong answers in a session, ten in an hour', async () => {
    const token = await app.signIn(id);
    const device = await addPasskey(app, token);
    const failed = async () =>
      (
        await app.database.pool.query(
          "select count(*)::int as n from account_events where person_id = $1 and kind = 'confirmFailed'",
          [id],
        )
      ).rows[0].n;
    const wrong = async () => {
      const options = (await post(app, 'second-step/options', token)).body;
      return post(app, 'confirm', token, { passkey: device.assert(options, { foreignKey: true }) });
    };
    expect([(await wrong()).code, await failed()]).toEqual(['PASSKEY_REFUSED', 1]);
    for (let n = 0; n < 11; n += 1) await wrong();
    expect(await failed()).toBe(10);
  });

  it('keeps five open challenges for each session', async () => {
    const token = await app.signIn(id);
    expect(new Set(await ask(30, () => post(app, 'passkeys/options', token)))).toEqual(new Set([undefined]));
    await post(app, 'passkeys/options', token);
    const { rows } = await app.database.pool.query('select from challenges where person_id = $1', [id]);
    expect(rows.length).toBe(5);
  });

  it('never waits for what somebody else with the password does: not as a step, a proof, or to add another', async () => {
    const token = await app.signIn(id);
    const device = await addPasskey(app, token);
    const stranger = (await signInWithPassword(app, email)).body.stepToken;
    const { stepToken } = (await signInWithPassword(app, email)).body;
    const own = (await post(app, 'second-step/options', stepToken)).body;
    for (let times = 0; times < 40; times += 1)
      expect((await post(app, 'second-step/options', stranger)).status).toBe(200);
    expect((await post(app, 'second-step', stepToken, { passkey: device.assert(own) })).status).toBe(200);
    const proof = (await post(app, 'second-step/options', token)).body;
    const { token: renewed } = (await post(app, 'confirm', token, { passkey: device.assert(proof) })).body;
    expect((await post(app, 'passkeys/options', renewed)).status).toBe(200);
    expect((await post(app, 'authenticator/options', renewed)).status).toBe(200);
  });

  it('is not offered at an IP address, and says how to get there', async () => {
    const answer = await app.call({
      method: 'POST',
      url: '/api/auth/passkey-sign-in/options',
      headers: { host: '127.0.0.1:3000' },
    });
    expect(answer.json().error.message).toContain('Open this page at localhost');
  });
});

describe('a passkey as a second step', () => {
  it('is asked of the person’s own only, and of this sign-in only', async () => {
    const device = await addPasskey(app, await app.signIn(id));
    const otherEmail = `other-${email}`;
    const other = await withPassword(app, { email: otherEmail });
    const otherDevice = await addPasskey(app, await app.signIn(other));
    const { stepToken } = (await signInWithPassword(app, email)).body;
    const otherStep = (await signInWithPassword(app, otherEmail)).body.stepToken;
    const asked = async () => (await post(app, 'second-step/options', stepToken)).body;
    expect((await asked()).allowCredentials).toHaveLength(1);
    const foreign = await post(app, 'second-step', stepToken, { passkey: otherDevice.assert(await asked()) });
    expect(foreign.body.error.message).toBe('This passkey belongs to another account');
    const passkey = device.assert(await asked());
    expect((await post(app, 'second-step', otherStep, { passkey })).code).toBe('PASSKEY_REFUSED');
    // A passkey without user verification is enough with a password.
    const answer = await post(app, 'second-step', stepToken, {
      passkey: device.assert(await asked(), { userVerified: false }),
    });
    expect(await isOpen(answer.body.token)).toBe(true);
  });
});

describe('confirming who one is', () => {
  it('takes a passkey or a code of one’s own, and wrong ones confirm nothing', async () => {
    let token = await app.signIn(id);
    const device = await addPasskey(app, token);
    app.clock.set(app.clock.now().add({ minutes: 11 }));
    const wrong = device.assert((await post(app, 'second-step/options', token)).body, { foreignKey: true });
    expect((await post(app, 'confirm', token, { passkey: wrong })).code).toBe('PASSKEY_REFUSED');
    expect((await post(app, 'confirm', token, { code: '123456' })).code).toBe('WRONG_CODE');
    expect((await post(app, 'passkeys/options', token)).code).toBe('CONFIRM_WITH_FACTOR');
    const right = device.assert((await post(app, 'second-step/options', token)).body);
    const confirmed = await post(app, 'confirm', token, { passkey: right });
    expect(confirmed.body).toEqual({ confirmed: true, token: expect.stringMatching(/^[\w-]{43}$/) });
    token = confirmed.body.token;
    expect((await post(app, 'passkeys/options', token)).status).toBe(200);
    expect((await post(app, 'confirm', token, { passkey: right })).code).toBe('PASSKEY_REFUSED');
  });
});
