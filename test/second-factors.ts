// Second factors as a person's browser and phone have them: calls of the routes, codes of an app, passkeys in
// software.
import { HOTP, Secret } from 'otpauth';
import { codeForm, stepAt } from '#core/access/one-time-codes.ts';
import { hashPassword } from '#server/access/auth/passwords.ts';
import type { TestApp } from './app.ts';
import { PasskeyDevice } from './passkey-device.ts';
import type { NewPerson } from './people.ts';

export const password = 'correct horse battery';
const passwordHash = hashPassword(password);

// biome-ignore lint/suspicious/noExplicitAny: what a test reads from an answer, its expectations check
export type Reply = { readonly status: number; readonly body: any; readonly code: string | undefined };

export async function post(app: TestApp, path: string, token: string | null, payload: object = {}): Promise<Reply> {
  const answer = await app.call({
    method: 'POST',
    url: `/api/auth/${path}`,
    payload,
    headers: { host: 'localhost:3000', ...(token !== null && { authorization: `Bearer ${token}` }) },
  });
  const body = answer.json();
  return { status: answer.statusCode, body, code: body.error?.code };
}

/** What a page of this address answers for. */
export const origin = 'http://localhost:3000';

export async function withPassword(app: TestApp, person: NewPerson = {}): Promise<string> {
  return app.person({ passwordHash: await passwordHash, ...person });
}

export const signInWithPassword = (app: TestApp, email: string): Promise<Reply> =>
  post(app, 'login', null, { email, password });

/** The code that an app with this key shows, some steps from now. */
export function codeOf(app: TestApp, key: string, distance = 0): string {
  const { algorithm, digits } = codeForm;
  const secret = Secret.fromBase32(key.replaceAll(' ', ''));
  return HOTP.generate({ secret, algorithm, digits, counter: stepAt(app.clock.now()) + distance });
}

/** Moves to the next code. */
export const nextCode = (app: TestApp, steps = 1): void =>
  app.clock.set(app.clock.now().add({ seconds: steps * codeForm.seconds }));

export type App = { readonly key: string; readonly recoveryCodes: string[] };

/** Sets up an authenticator app in a session that was just started. */
export async function addAuthenticator(app: TestApp, token: string): Promise<App> {
  const { key } = (await post(app, 'authenticator/options', token)).body;
  const { status, body } = await post(app, 'authenticator', token, { code: codeOf(app, key) });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return { key, recoveryCodes: body.recoveryCodes ?? [] };
}

export async function addPasskey(app: TestApp, token: string, name = 'Laptop'): Promise<PasskeyDevice> {
  const device = new PasskeyDevice(origin);
  const options = (await post(app, 'passkeys/options', token)).body;
  const { status, body } = await post(app, 'passkeys', token, { name, passkey: device.register(options) });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return device;
}
