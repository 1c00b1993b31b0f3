// Who can confirm that a new sign-in was theirs, for every way of signing in.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestApp, type TestApp, wednesday } from '../../../../test/app.ts';
import type { PasskeyDevice } from '../../../../test/passkey-device.ts';
import {
  addAuthenticator,
  addPasskey,
  codeOf,
  nextCode,
  password,
  post,
  type Reply,
  signInWithPassword,
  withPassword,
} from '../../../../test/second-factors.ts';

let app: TestApp;
let count = 0;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());
beforeEach(() => app.clock.set(wednesday));

type Browser = { readonly device?: string };
type SignIn = (browser: Browser) => Promise<Reply>;
type Account = { readonly email: string; readonly id: string };

const secondStep = async ({ email }: Account, body: object) =>
  post(app, 'second-step', (await signInWithPassword(app, email)).body.stepToken, body);
const passkeyOf = async ({ id }: Account): Promise<PasskeyDevice> => addPasskey(app, await app.signIn(id));
const appOf = async ({ id }: Account) => addAuthenticator(app, await app.signIn(id));

const methods: Readonly<Record<string, (account: Account) => Promise<SignIn>>> = {
  password:
    async ({ email }) =>
    (browser) =>
      post(app, 'login', null, { email, password, ...browser }),
  passkey: async (account) => {
    const device = await passkeyOf(account);
    return async (browser) => {
      const options = (await post(app, 'passkey-sign-in/options', null)).body;
      return post(app, 'passkey-sign-in', null, { passkey: device.assert(options), ...browser });
    };
  },
  'password+passkey': async (account) => {
    const device = await passkeyOf(account);
    return async (browser) => {
      const { stepToken } = (await signInWithPassword(app, account.email)).body;
      const options = (await post(app, 'second-step/options', stepToken)).body;
      return post(app, 'second-step', stepToken, { passkey: device.assert(options), ...browser });
    };
  },
  'password+totp': async (account) => {
    const { key } = await appOf(account);
    return (browser) => secondStep(account, { code: codeOf(app, key), ...browser });
  },
  'password+recovery': async (account) => {
    const { recoveryCodes } = await appOf(account);
    return (browser) => secondStep(account, { recoveryCode: recoveryCodes.pop(), ...browser });
  },
};

const asked = async (token: string): Promise<string[]> =>
  (await app.gql(token, '{ newSignIns { id } }')).data.newSignIns.map(({ id }: { id: string }) => id);
const answer = async (token: string, id: string | undefined) =>
  (await app.gql(token, 'mutation ($id: ID!) { acknowledgeSignIn(id: $id) }', { id })).code;

test.each(Object.keys(methods))(
  'a session that began with %s and no browser’s token answers for no sign-in',
  async (method) => {
    count += 1;
    const email = `answers${count}@example.test`;
    const account = { email, id: await withPassword(app, { email }) };
    const signIn = await methods[method]!(account);
    const begin = async (browser: Browser) => {
      nextCode(app, 2);
      const { status, body } = await signIn(browser);
      expect(status).toBe(200);
      return body as { token: string; device?: string };
    };
    const own = await begin({ device: '' });
    const first = await begin({});
    const [question] = await asked(own.token);
    expect(question).toBeDefined();
    const second = await begin({});
    const questions = await asked(own.token);
    expect(questions).toHaveLength(2);
    for (const { token } of [first, second]) {
      expect(await asked(token)).toEqual([]);
      expect(await answer(token, question)).toBe('FORBIDDEN');
    }
    // Signing out everywhere doesn't confirm sign-ins there either.
    await app.gql(second.token, 'mutation { signOutEverywhere(also: []) { token } }');
    const back = await begin({ device: own.device ?? '' });
    expect(await asked(back.token)).toEqual(questions);
    expect(await answer(back.token, question)).toBeNull();
  },
);
