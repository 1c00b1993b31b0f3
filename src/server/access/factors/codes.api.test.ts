import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp, wednesday } from '../../../../test/app.ts';
import { rounds } from '../../../../test/sampling.ts';
import {
  addAuthenticator,
  addPasskey,
  codeOf,
  nextCode,
  password,
  post,
  signInWithPassword,
  withPassword,
} from '../../../../test/second-factors.ts';

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
  await app.database.pool.query('truncate sign_in_failures');
  count += 1;
  email = `codes${count}@example.test`;
  id = await withPassword(app, { email });
});

async function secondStep(input: object) {
  const { stepToken } = (await signInWithPassword(app, email)).body;
  return post(app, 'second-step', stepToken, input);
}

const isOpen = async (token: string) => (await app.gql(token, '{ __typename }')).status === 200;
const actions = async () =>
  (await app.database.pool.query('select action from audit_log where subject_id = $1 order by id', [id])).rows.map(
    ({ action }) => action,
  );
const events = async () =>
  (await app.database.pool.query('select kind from account_events where person_id = $1 order by id', [id])).rows.map(
    ({ kind }) => kind,
  );

describe('an authenticator app', () => {
  it('is not set up by a wrong code, one of another secret, or without a proof of the last ten minutes', async () => {
    const token = await app.signIn(id);
    const { key } = (await post(app, 'authenticator/options', token)).body;
    expect((await post(app, 'authenticator', token, { code: '000000' })).code).toBe('WRONG_CODE');
    expect((await post(app, 'authenticator', token, { code: codeOf(app, 'JBSWY3DPEHPK3PXP') })).code).toBe(
      'WRONG_CODE',
    );
    app.clock.set(app.clock.now().add({ minutes: 11 }));
    expect((await post(app, 'authenticator', token, { code: codeOf(app, key) })).code).toBe('CONFIRM_IDENTITY');
    expect((await post(app, 'authenticator/options', token)).code).toBe('CONFIRM_IDENTITY');
    expect((await signInWithPassword(app, email)).body.token).toMatch(/^[\w-]{43}$/);
    expect(await actions()).toEqual(['signedIn']);
  });

  it('is set up by its first code, which gives ten recovery codes once; the secret is told to nobody again', async () => {
    const token = await app.signIn(id);
    const { body } = await post(app, 'authenticator/options', token);
    expect(body.uri).toContain(`otpauth://totp/Staff%20dashboard:${encodeURIComponent(email)}?`);
    const first = await post(app, 'authenticator', token, { code: codeOf(app, body.key) });
    expect(new Set(first.body.recoveryCodes).size).toBe(10);
    expect(first.body.token).toBeNull();
    expect(await isOpen(token)).toBe(true);
    const kept = await app.database.pool.query('select encode(secret, $1) as secret from authenticators', ['escape']);
    expect(JSON.stringify(kept.rows)).not.toContain(body.key.replaceAll(' ', ''));
    expect(await actions()).toEqual(['authenticatorAdded', 'recoveryCodesCreated']);
    expect(await events()).toEqual(['authenticatorAdded', 'recoveryCodesCreated']);
    const repeated = await post(app, 'authenticator', token, { code: codeOf(app, body.key) });
    expect(repeated.body.error.message).toContain('is set up already');
  });

  it('says that the clock is wrong, at the set-up and after a right password, and changes nothing', async () => {
    const token = await app.signIn(id);
    const { key } = (await post(app, 'authenticator/options', token)).body;
    const early = await post(app, 'authenticator', token, { code: codeOf(app, key, 10) });
    expect(early.body.error.message).toBe(
      'Your phone’s clock is about 5 minutes ahead. Set it to automatic time, then enter a new code',
    );
    await post(app, 'authenticator', token, { code: codeOf(app, key) });
    nextCode(app, 30);
    const late = await secondStep({ code: codeOf(app, key, -10) });
    expect([late.status, late.body.error.message]).toEqual([
      403,
      'Your phone’s clock is about 5 minutes behind. Set it to automatic time, then enter a new code',
    ]);
    expect(await events()).not.toContain('signedIn');
  });
});

describe('the second step', () => {
  it('is asked after a right password: its token opens that step alone, and no token of a session is told', async () => {
    await addAuthenticator(app, await app.signIn(id));
    const answer = await signInWithPassword(app, email);
    expect(answer.body).toEqual({
      next: 'secondStep',
      stepToken: expect.stringMatching(/^[\w-]{43}$/),
      steps: ['code', 'recoveryCode'],
    });
    const opened = await app.gql(answer.body.stepToken, '{ __typename }');
    expect([opened.status, opened.code]).toEqual([401, 'SECOND_FACTOR_NEEDED']);
    expect((await post(app, 'authenticator/options', answer.body.stepToken)).code).toBe('SECOND_FACTOR_NEEDED');
    expect((await post(app, 'passkeys/options', answer.body.stepToken)).code).toBe('SECOND_FACTOR_NEEDED');
    expect((await post(app, 'confirm', answer.body.stepToken, { code: '123456' })).code).toBe('SECOND_FACTOR_NEEDED');
  });

  it('takes a code of one step early or late, and each step once, from however many at once', async () => {
    const { key } = await addAuthenticator(app, await app.signIn(id));
    nextCode(app, 4);
    const steps = await Promise.all(Array.from({ length: 3 }, () => signInWithPassword(app, email)));
    const code = codeOf(app, key, -1);
    const answers = await Promise.all(steps.map(({ body }) => post(app, 'second-step', body.stepToken, { code })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await isOpen(answers.find(({ status }) => status === 200)?.body.token)).toBe(true);
    const replayed = await secondStep({ code });
    expect([replayed.status, replayed.body.error.message]).toEqual([
      403,
      'That code was already used. Wait for the next one',
    ]);
    expect((await secondStep({ code: codeOf(app, key, 1) })).status).toBe(200);
    // A code from before the last one counts as used.
    expect((await secondStep({ code: codeOf(app, key, 0) })).code).toBe('WRONG_CODE');
  });

  it('records ten wrong codes an hour, also after ten wrong passwords', async () => {
    await addAuthenticator(app, await app.signIn(id));
    const wrong = () => post(app, 'login', null, { email, password: 'another walnut harbor' });
    for (const fail of [wrong, () => secondStep({ code: '000000' })])
      for (let times = 0; times < 11; times += 1) {
        // Without the delays of wrong guesses.
        await app.database.pool.query('truncate sign_in_failures');
        await fail();
      }
    const recorded = `select method, count(*)::int from account_events
      where person_id = $1 and kind = 'signInFailed' group by 1 order by 1`;
    expect((await app.database.pool.query(recorded, [id])).rows).toEqual([
      { method: 'password+totp', count: 10 },
      { method: null, count: 11 },
    ]);
  });

  it('never takes a code again that it called early, also not in its time', async () => {
    const { key } = await addAuthenticator(app, await app.signIn(id));
    nextCode(app, 2);
    const early = codeOf(app, key, 10);
    expect((await secondStep({ code: early })).body.error.message).toContain('5 minutes ahead');
    // Signing out everywhere ends unfinished steps and doesn't restore spent codes.
    const { data } = await app.gql(await app.signIn(id), 'mutation { signOutEverywhere(also: []) { token } }');
    expect(data.signOutEverywhere.token).toBeTruthy();
    nextCode(app, 10);
    expect(codeOf(app, key)).toBe(early);
    expect((await secondStep({ code: early })).body.error.message).toContain('already used');
    nextCode(app);
    expect((await secondStep({ code: codeOf(app, key) })).status).toBe(200);
  });

  it('ends after ten minutes, with a new password, and with one full sign-in of its token', async () => {
    const { key } = await addAuthenticator(app, await app.signIn(id));
    nextCode(app, 2);
    const { stepToken } = (await signInWithPassword(app, email)).body;
    const first = await post(app, 'second-step', stepToken, { code: codeOf(app, key) });
    expect(first.status).toBe(200);
    nextCode(app);
    expect((await post(app, 'second-step', stepToken, { code: codeOf(app, key) })).code).toBe('NOT_SIGNED_IN');
    const second = (await signInWithPassword(app, email)).body.stepToken;
    app.clock.set(app.clock.now().add({ minutes: 10 }));
    expect((await post(app, 'second-step', second, { code: codeOf(app, key) })).code).toBe('NOT_SIGNED_IN');
  });

  it('stays after a password was set by a link that came by mail', async () => {
    const { key } = await addAuthenticator(app, await app.signIn(id));
    const token = 'A'.repeat(43);
    await app.database.pool.query(
      `insert into account_links (person_id, token_hash, kind, created_at, expires_at)
       values ($1, sha256($2), 'reset', $3, $4)`,
      [id, token, app.clock.now().toString(), app.clock.now().add({ hours: 1 }).toString()],
    );
    const set = await post(app, 'password', null, { token, password: 'quite another long phrase' });
    expect([set.status, set.body.token]).toEqual([200, undefined]);
    const again = await post(app, 'login', null, { email, password: 'quite another long phrase' });
    expect([again.body.next, again.body.token]).toEqual(['secondStep', undefined]);
    nextCode(app, 2);
    expect((await post(app, 'second-step', again.body.stepToken, { code: codeOf(app, key) })).status).toBe(200);
  });
});

describe('a recovery code', () => {
  it('is good once, of however many at once, tells the person, and says how many are left', async () => {
    const { recoveryCodes } = await addAuthenticator(app, await app.signIn(id));
    const [code] = recoveryCodes as [string];
    const steps = await Promise.all([1, 2, 3].map(() => signInWithPassword(app, email)));
    const answers = await Promise.all(
      steps.map(({ body }) => post(app, 'second-step', body.stepToken, { recoveryCode: code.toLowerCase() })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403, 403]);
    expect(answers.find(({ status }) => status === 200)?.body).toMatchObject({
      recoveryCodesLeft: 9,
    });
    expect((await secondStep({ recoveryCode: code })).body.error.message).toBe(
      'That recovery code is wrong or was already used. Try another one',
    );
    expect(await events()).toContain('recoveryCodeUsed');
    const kept = await app.database.pool.query('select code_hash::text from recovery_codes where person_id = $1', [id]);
    expect(JSON.stringify(kept.rows)).not.toContain(code);
  });

  it('of another person opens nothing', async () => {
    const other = await withPassword(app, { email: `other-${email}` });
    const { recoveryCodes } = await addAuthenticator(app, await app.signIn(other));
    await addAuthenticator(app, await app.signIn(id));
    expect((await secondStep({ recoveryCode: recoveryCodes[0] })).code).toBe('WRONG_CODE');
  });
});

describe('guessing', () => {
  it('with a stolen token keeps its owner out of nothing, and waits for itself', async () => {
    const { key, recoveryCodes } = await addAuthenticator(app, await app.signIn(id));
    nextCode(app, 4);
    const stolen = await app.signIn(id);
    for (let count = 0; count < 5; count += 1)
      expect((await post(app, 'confirm', stolen, { code: '000000' })).code).toBe('WRONG_CODE');
    expect((await post(app, 'confirm', stolen, { code: codeOf(app, key) })).code).toBe('TOO_MANY_ATTEMPTS');
    expect((await post(app, 'confirm', await app.signIn(id), { code: codeOf(app, key) })).status).toBe(200);
    expect((await secondStep({ code: codeOf(app, key, 1) })).status).toBe(200);
    for (let count = 0; count < 5; count += 1) await secondStep({ code: '000000' });
    expect((await secondStep({ code: codeOf(app, key, 1) })).code).toBe('TOO_MANY_ATTEMPTS');
    expect((await secondStep({ recoveryCode: recoveryCodes[0] })).status).toBe(200);
    for (let count = 0; count < 5; count += 1) await secondStep({ recoveryCode: 'wrong' });
    expect((await secondStep({ recoveryCode: recoveryCodes[1] })).code).toBe('TOO_MANY_ATTEMPTS');
  });

  it('codes guessed with the right password are bounded, whatever addresses they come from', async () => {
    const { key } = await addAuthenticator(app, await app.signIn(id));
    nextCode(app, 4);
    const { stepToken } = (await signInWithPassword(app, email)).body;
    const all = Array.from({ length: rounds(1_000, 10_000) }, (_, index) => String(index).padStart(6, '0'));
    const right = [-1, 0, 1].map((distance) => codeOf(app, key, distance));
    const guesses = all.filter((code) => !right.includes(code));
    let looked = 0;
    for (let index = 0; index < guesses.length; index += 20) {
      const batch = guesses.slice(index, index + 20).map((code, at) =>
        app.call({
          method: 'POST',
          url: '/api/auth/second-step',
          payload: { code },
          remoteAddress: `10.${index % 250}.${at}.1`,
          headers: { host: 'localhost:3000', authorization: `Bearer ${stepToken}` },
        }),
      );
      const answers = await Promise.all(batch);
      looked += answers.filter(({ statusCode }) => statusCode === 403).length;
      expect(answers.every(({ statusCode }) => statusCode === 403 || statusCode === 429)).toBe(true);
    }
    expect(looked).toBe(5);
    const refused = await post(app, 'second-step', stepToken, { code: codeOf(app, key) });
    expect([refused.status, refused.code]).toEqual([429, 'TOO_MANY_ATTEMPTS']);
  });

  it('elsewhere with the right password keeps a known browser or address out of nothing, and each bounds its own', async () => {
    const { key } = await addAuthenticator(app, await app.signIn(id));
    const send = async (from: string, code: string, device?: string) => {
      const { stepToken } = (await signInWithPassword(app, email)).body;
      const answer = await app.call({
        method: 'POST',
        url: '/api/auth/second-step',
        payload: { code, ...(device !== undefined && { device }) },
        remoteAddress: from,
        headers: { host: 'localhost:3000', authorization: `Bearer ${stepToken}` },
      });
      return { status: answer.statusCode, device: answer.json().device as string };
    };
    const right = async (from: string, device?: string) => {
      nextCode(app);
      return (await send(from, codeOf(app, key), device)).status;
    };
    const wrongUntilRefused = async (from: (index: number) => string, device?: string) => {
      const statuses: number[] = [];
      for (let index = 0; statuses.at(-1) !== 429 && index < 10; index += 1)
        statuses.push((await send(from(index), '000000', device)).status);
      return statuses.length - 1;
    };
    nextCode(app, 4);
    const { device } = await send('192.0.2.44', codeOf(app, key), '');
    nextCode(app);
    const other = (await send('192.0.2.45', codeOf(app, key), '')).device;
    nextCode(app);
    expect(await wrongUntilRefused((index) => `198.51.100.${index}`)).toBe(5);
    // The wait grows until it outlasts the rest of the test.
    for (const seconds of [5, 10, 20, 40, 80, 160]) {
      app.clock.advance({ seconds });
      expect((await send('198.51.100.7', '000000')).status).toBe(403);
    }
    expect((await send('203.0.113.9', codeOf(app, key))).status).toBe(429);
    expect((await send('203.0.113.9', codeOf(app, key), 'x'.repeat(43))).status).toBe(429);
    expect(await right('203.0.113.9', device)).toBe(200);
    expect(await right('192.0.2.45')).toBe(200);
    // The person's success elsewhere gives those who guess no new tries.
    expect(await wrongUntilRefused(() => '203.0.113.1')).toBe(0);
    // All known addresses together have one count, so having several gives no more guesses.
    expect(await wrongUntilRefused((index) => (index % 2 ? '203.0.113.9' : '192.0.2.45'))).toBe(5);
    expect(await wrongUntilRefused(() => '192.0.2.45', other)).toBe(5);
    expect(await right('203.0.113.9', device)).toBe(200);
  });

  it('for a day, as fast as the waits allow, looks at fewer than 120 codes', async () => {
    await addAuthenticator(app, await app.signIn(id));
    const end = app.clock.now().add({ hours: 24 });
    let looked = 0;
    let token: string | undefined;
    while (Temporal.Instant.compare(app.clock.now(), end) < 0) {
      token ??= (await signInWithPassword(app, email)).body.stepToken as string;
      const answer = await app.call({
        method: 'POST',
        url: '/api/auth/second-step',
        payload: { code: '000000' },
        headers: { authorization: `Bearer ${token}` },
      });
      if (answer.statusCode === 401) token = undefined;
      else if (answer.statusCode === 429)
        app.clock.set(app.clock.now().add({ seconds: Number(answer.headers['retry-after']) }));
      else looked += 1;
    }
    expect(looked).toBeGreaterThan(50);
    expect(looked).toBeLessThan(120);
  });
});

it('the first factor ends the other sessions, which a password alone opened; the next one ends none', async () => {
  const [own, other] = [await app.signIn(id), await app.signIn(id)];
  const statusOf = async (token: string) =>
    (await app.call({ url: '/api/auth/user', headers: { authorization: `Bearer ${token}` } })).statusCode;
  await addAuthenticator(app, own);
  expect([await statusOf(own), await statusOf(other)]).toEqual([200, 401]);
  const later = await app.signIn(id);
  await addPasskey(app, own);
  expect(await statusOf(later)).toBe(200);
});

it('a factor that is added proves nothing: a copy of the token gets no more time with it', async () => {
  const token = await app.signIn(id);
  app.clock.set(app.clock.now().add({ minutes: 9 }));
  await addAuthenticator(app, token);
  app.clock.set(app.clock.now().add({ minutes: 2 }));
  for (const call of ['newRecoveryCodes', 'removeAuthenticator { required }'])
    expect((await app.gql(token, `mutation { ${call} }`)).code).toBe('CONFIRM_WITH_FACTOR');
});

it('new recovery codes are created ten times an hour', async () => {
  const token = await app.signIn(id);
  await addAuthenticator(app, token);
  const create = async () => (await app.gql(token, 'mutation { newRecoveryCodes }')).code;
  for (let times = 2; times <= 10; times += 1) expect(await create()).toBeNull();
  const before = await events();
  expect(await create()).toBe('TOO_MANY_ATTEMPTS');
  expect(await events()).toEqual(before);
});

describe('a stolen session and the password of a person with a second factor', () => {
  it('change no factor, until a factor confirms who it is', async () => {
    const { recoveryCodes } = await addAuthenticator(app, await app.signIn(id));
    let stolen = await app.signIn(id);
    const confirm = async (proof: object) => {
      const { status, body } = await post(app, 'confirm', stolen, proof);
      expect(status).toBe(200);
      stolen = body.token;
    };
    await confirm({ password });
    const refusals = [
      (await app.gql(stolen, 'mutation { removeAuthenticator { required } }')).code,
      (await app.gql(stolen, 'mutation { newRecoveryCodes }')).code,
      (await app.gql(stolen, 'mutation { signOutEverywhere(also: ["factors"]) { token } }')).code,
      (await post(app, 'passkeys/options', stolen)).code,
      (await post(app, 'authenticator/options', stolen)).code,
      (await post(app, 'authenticator', stolen, { code: '123456' })).code,
    ];
    expect(new Set(refusals)).toEqual(new Set(['CONFIRM_WITH_FACTOR']));
    await confirm({ recoveryCode: recoveryCodes[0] });
    expect((await app.gql(stolen, 'mutation { newRecoveryCodes }')).code).toBeNull();
    app.clock.set(app.clock.now().add({ minutes: 11 }));
    await confirm({ password });
    expect((await app.gql(stolen, 'mutation { newRecoveryCodes }')).code).toBe('CONFIRM_WITH_FACTOR');
  });

  it('of an admin who has one reset nobody’s factors', async () => {
    await addAuthenticator(app, await app.signIn(id));
    const boss = await withPassword(app, { email: `boss-${email}`, role: 'admin' });
    await addAuthenticator(app, await app.signIn(boss));
    const stolen = await app.signIn(boss);
    const reset = 'mutation ($id: ID!) { resetSecondFactor(id: $id) { required } }';
    const { token } = (await post(app, 'confirm', stolen, { password })).body;
    expect((await app.gql(token, reset, { id })).code).toBe('CONFIRM_WITH_FACTOR');
  });
});

describe('removing', () => {
  const code = (answer: { code: string | null }) => answer.code;

  it('needs a proof of the last ten minutes, one’s own factor, and an admin for anybody else’s', async () => {
    const token = await app.signIn(id);
    await addAuthenticator(app, token);
    const other = await withPassword(app, { email: `other-${email}` });
    const otherToken = await app.signIn(other);
    const reset = 'mutation ($id: ID!) { resetSecondFactor(id: $id) { required } }';
    expect(code(await app.gql(otherToken, reset, { id }))).toBe('FORBIDDEN');
    expect(code(await app.gql(otherToken, 'query ($id: ID!) { secondFactorsOf(id: $id) { required } }', { id }))).toBe(
      'FORBIDDEN',
    );
    expect(code(await app.gql(otherToken, 'mutation { removeAuthenticator { required } }'))).toBe('NOT_FOUND');
    expect(code(await app.gql(otherToken, 'mutation { newRecoveryCodes }'))).toBe('CONFLICT');
    app.clock.set(app.clock.now().add({ minutes: 11 }));
    const late = await app.signIn(id);
    await app.database.pool.query("update sessions set verified_at = created_at - interval '11 minutes'");
    for (const call of ['removeAuthenticator { required }', 'newRecoveryCodes', 'removePasskey(id: "1") { required }'])
      expect(code(await app.gql(late, `mutation { ${call} }`))).toBe('CONFIRM_WITH_FACTOR');
    expect((await signInWithPassword(app, email)).body.next).toBe('secondStep');
  });

  it('takes the recovery codes with the last factor, and the password signs in alone again', async () => {
    const token = await app.signIn(id);
    const { recoveryCodes } = await addAuthenticator(app, token);
    const renewed = (await app.gql(token, 'mutation { newRecoveryCodes }')).data.newRecoveryCodes;
    expect(new Set([...renewed, ...recoveryCodes]).size).toBe(20);
    expect((await secondStep({ recoveryCode: recoveryCodes[0] })).code).toBe('WRONG_CODE');
    expect((await secondStep({ recoveryCode: renewed[0] })).status).toBe(200);
    const mine =
      'query { mySecondFactors { required recoveryCodesLeft authenticator { createdAt } passkeys { name } } }';
    expect((await app.gql(token, mine)).data.mySecondFactors).toMatchObject({ recoveryCodesLeft: 9, passkeys: [] });
    const removed = await app.gql(
      token,
      'mutation { removeAuthenticator { recoveryCodesLeft authenticator { createdAt } } }',
    );
    expect(removed.data.removeAuthenticator).toEqual({ recoveryCodesLeft: 0, authenticator: null });
    expect((await signInWithPassword(app, email)).body.token).toBeTruthy();
    expect((await events()).slice(-3)).toEqual(['authenticatorRemoved', 'recoveryCodesRemoved', 'signedIn']);
  });

  it('by an admin leaves nothing of another’s factors, and both logs say who did it', async () => {
    await addAuthenticator(app, await app.signIn(id));
    const boss = await app.person({ role: 'admin' });
    const token = await app.signIn(boss);
    const reset =
      'mutation ($id: ID!) { resetSecondFactor(id: $id) { recoveryCodesLeft authenticator { createdAt } } }';
    expect((await app.gql(token, reset, { id })).data.resetSecondFactor).toEqual({
      recoveryCodesLeft: 0,
      authenticator: null,
    });
    expect((await app.gql(token, reset, { id })).code).toBe('NOT_FOUND');
    expect((await signInWithPassword(app, email)).body.token).toBeTruthy();
    const { rows } = await app.database.pool.query(
      "select distinct actor_id::text from account_events where person_id = $1 and kind like '%Removed'",
      [id],
    );
    expect(rows).toEqual([{ actor_id: boss }]);
  });

  const removeOne = `mutation ($userId: ID!, $kind: String!, $passkeyId: ID) {
    removeSecondFactor(userId: $userId, kind: $kind, passkeyId: $passkeyId) {
      passkeys { id name } authenticator { createdAt } recoveryCodesLeft } }`;
  const passkeysOf = async (person: string): Promise<string[]> =>
    (
      await app.database.pool.query('select id::text from passkeys where person_id = $1 order by passkeys.id', [person])
    ).rows.map((row) => row.id);

  it('one by one, an admin takes passkeys and the app; recovery codes go with the last, and the person is told of each', async () => {
    const own = await app.signIn(id);
    await addPasskey(app, own, 'Laptop');
    await addPasskey(app, own, 'Phone');
    await addAuthenticator(app, own);
    const [laptop, phone] = await passkeysOf(id);
    const boss = await app.person({ role: 'admin' });
    const token = await app.signIn(boss);
    const remove = async (kind: string, passkeyId?: string) =>
      app.gql(token, removeOne, { userId: id, kind, ...(passkeyId && { passkeyId }) });
    await app.database.pool.query('delete from notices where person_id = $1', [id]);
    expect((await remove('passkey', laptop)).data.removeSecondFactor).toMatchObject({
      ...{ passkeys: [{ id: phone, name: 'Phone' }], recoveryCodesLeft: 10 },
      authenticator: { createdAt: expect.any(String) },
    });
    expect((await remove('passkey', laptop)).code).toBe('NOT_FOUND');
    expect((await remove('authenticator')).data.removeSecondFactor).toMatchObject({
      ...{ authenticator: null, recoveryCodesLeft: 10 },
    });
    expect((await remove('authenticator')).code).toBe('NOT_FOUND');
    expect((await remove('passkey', phone)).data.removeSecondFactor).toEqual({
      ...{ passkeys: [], authenticator: null, recoveryCodesLeft: 0 },
    });
    expect((await signInWithPassword(app, email)).body.token).toBeTruthy();
    const { rows } = await app.database.pool.query(
      `select facts->>'event' as event, p.id::text as by from notices n
       join people p on trim(concat(p.first_name, ' ', p.last_name)) = facts->>'by' where n.person_id = $1 order by n.id`,
      [id],
    );
    const told = ['passkeyRemoved', 'authenticatorRemoved', 'passkeyRemoved', 'recoveryCodesRemoved'];
    expect(rows).toEqual(told.map((event) => ({ event, by: boss })));
    expect((await actions()).slice(-5)).toEqual([...told, 'signedIn']);
  });

  it('one by one needs an admin with a proof of the last ten minutes, and a passkey of that person', async () => {
    const own = await app.signIn(id);
    await addPasskey(app, own);
    await addAuthenticator(app, own);
    const [passkeyId] = await passkeysOf(id);
    const other = await withPassword(app, { email: `other-${email}` });
    const keeper = await app.person({ permissions: ['VIEW_DASHBOARD', 'USER_MANAGEMENT'] });
    for (const person of [id, other, keeper])
      for (const way of [{ kind: 'authenticator' }, { kind: 'passkey', passkeyId }])
        expect((await app.gql(await app.signIn(person), removeOne, { userId: id, ...way })).code).toBe('FORBIDDEN');
    const token = await app.signIn(await app.person({ role: 'admin' }));
    for (const [way, refusal] of [
      [{ userId: other, kind: 'passkey', passkeyId }, 'NOT_FOUND'],
      [{ userId: id, kind: 'passkey' }, 'BAD_INPUT'],
      [{ userId: id, kind: 'authenticator', passkeyId }, 'BAD_INPUT'],
      [{ userId: id, kind: 'all' }, 'BAD_INPUT'],
    ] as const)
      expect([way, (await app.gql(token, removeOne, way)).code]).toEqual([way, refusal]);
    await app.database.pool.query("update sessions set verified_at = created_at - interval '11 minutes'");
    expect((await app.gql(token, removeOne, { userId: id, kind: 'authenticator' })).code).toBe('CONFIRM_IDENTITY');
    expect((await signInWithPassword(app, email)).body.steps).toEqual(['passkey', 'code', 'recoveryCode']);
  });

  it('by an admin ends the person’s sessions, and one’s own factors are removed in My account only', async () => {
    const phone = await app.signIn(id);
    await addAuthenticator(app, phone);
    const boss = await app.person({ role: 'admin' });
    const token = await app.signIn(boss);
    await addAuthenticator(app, token);
    const reset = 'mutation ($id: ID!) { resetSecondFactor(id: $id) { required } }';
    expect(code(await app.gql(token, reset, { id: boss }))).toBe('FORBIDDEN');
    expect(code(await app.gql(token, reset, { id }))).toBeNull();
    expect([await isOpen(phone), await isOpen(token)]).toEqual([false, true]);
  });

  it('a passkey is refused where it is the only way in', async () => {
    const token = await app.signIn(id);
    await addPasskey(app, token);
    await app.database.pool.query('update people set password_hash = null where id = $1', [id]);
    const { passkeys } = (await app.gql(token, '{ mySecondFactors { passkeys { id } } }')).data.mySecondFactors;
    const remove = 'mutation ($id: ID!) { removePasskey(id: $id) { required } }';
    expect(code(await app.gql(token, remove, { id: passkeys[0].id }))).toBe('CONFLICT');
  });

  it('by disabling the account takes recovery codes that nothing else needs, so a new app gives new ones', async () => {
    const own = await app.signIn(id);
    await addPasskey(app, own);
    const before = (await app.gql(own, 'mutation { newRecoveryCodes }')).data.newRecoveryCodes;
    const token = await app.signIn(await app.person({ role: 'admin' }));
    for (const disabled of [true, false])
      await app.gql(token, `mutation { setUserDisabled(userId: "${id}", disabled: ${disabled}) { id } }`);
    const { recoveryCodes } = await addAuthenticator(app, await app.signIn(id));
    expect(recoveryCodes).toHaveLength(10);
    expect((await secondStep({ recoveryCode: before[0] })).code).toBe('WRONG_CODE');
    expect((await secondStep({ recoveryCode: recoveryCodes[0] })).status).toBe(200);
  });
});
