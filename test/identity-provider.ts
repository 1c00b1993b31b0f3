// Identity providers of the tests: a real one, and one that lies in every way it is asked to.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import type Provider from 'oidc-provider';

export const client = { id: 'dashboard', secret: 'a secret of the tests, shared by both sides' } as const;

export type TestProvider = {
  readonly issuer: string;
  /** Where it leads back to; settled by the first sign-in. */
  redirectUri: string | null;
  /** Who signs in next, with these groups; null cancels. */
  account: { readonly subject: string; readonly groups: readonly string[] } | null;
  stop(): Promise<void>;
};

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function stop(server: Server): Promise<void> {
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
}

/** The provider of npm's oidc-provider; every visitor is signed in as `account` without a question. */
export async function startIdentityProvider(redirectUri: string | null = null): Promise<TestProvider> {
  const { default: OidcProvider } = await import('oidc-provider');
  let provider: Provider | undefined;
  const groups = new Map<string, readonly string[]>();
  const server = createServer((request, response) => void answer(request, response));
  const issuer = await listen(server);
  const test: TestProvider = { issuer, redirectUri, account: null, stop: () => stop(server) };
  const make = () =>
    new OidcProvider(issuer, {
      clients: [{ client_id: client.id, client_secret: client.secret, redirect_uris: [test.redirectUri ?? ''] }],
      claims: { openid: ['sub', 'groups'] },
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
      findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id, groups: groups.get(id) ?? [] }) }),
      async loadExistingGrant(context) {
        const { oidc } = context;
        const grant = new context.oidc.provider.Grant({
          accountId: oidc.session?.accountId as string,
          clientId: oidc.client?.clientId as string,
        });
        grant.addOIDCScope('openid');
        await grant.save();
        return grant;
      },
    });
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    provider ??= make();
    if (!request.url?.startsWith('/interaction/')) return provider.callback()(request, response) as never;
    const { account } = test;
    if (account) groups.set(account.subject, account.groups);
    const result = account ? { login: { accountId: account.subject } } : { error: 'access_denied' };
    return provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
  }
  return test;
}

export type Lie = {
  readonly issuer?: string;
  readonly audience?: string;
  readonly nonce?: string;
  readonly expired?: boolean;
  readonly badSignature?: boolean;
  readonly unsigned?: boolean;
  readonly noToken?: boolean;
  readonly large?: boolean;
  /** In seconds; left out, the token doesn't say. */
  readonly signedInAt?: number;
  readonly status?: number;
};

export type LyingProvider = {
  readonly issuer: string;
  /** How the next token is wrong. */
  lie: Lie;
  /** The nonce that the sign-in under way asked for. */
  nonce: string;
  stop(): Promise<void>;
};

/** Gives a token for any code, wrong as told. */
export async function startLyingProvider(): Promise<LyingProvider> {
  const [good, other] = await Promise.all([generateKeyPair('RS256'), generateKeyPair('RS256')]);
  const key = { ...(await exportJWK(good.publicKey)), kid: 'a', alg: 'RS256', use: 'sig' };
  const server = createServer(async (request, response) => {
    const [status, body] = await answer(new URL(request.url ?? '/', issuer).pathname);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  const issuer = await listen(server);
  const test: LyingProvider = { issuer, lie: {}, nonce: '', stop: () => stop(server) };

  async function answer(path: string): Promise<[number, object]> {
    if (path === '/.well-known/openid-configuration') return [200, metadata];
    if (path === '/jwks') return [200, { keys: [key] }];
    if (path !== '/token') return [404, {}];
    const { lie } = test;
    if (lie.status) return [lie.status, { error: 'server_error' }];
    const extra = lie.large ? { padding: 'x'.repeat(10_000_000) } : {};
    const token = lie.noToken ? {} : { id_token: await idToken(lie) };
    return [200, { access_token: 'a', token_type: 'Bearer', ...token, ...extra }];
  }

  async function idToken(lie: Lie): Promise<string> {
    const now = Math.floor(Date.now() / 1_000);
    const time = lie.signedInAt === undefined ? {} : { auth_time: lie.signedInAt };
    const claims = { nonce: lie.nonce ?? test.nonce, ...time };
    if (lie.unsigned) {
      const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
      const all = { iss: issuer, aud: client.id, sub: 'liar', iat: now, exp: now + 600, ...claims };
      return `${part({ alg: 'none' })}.${part(all)}.`;
    }
    return new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', kid: 'a' })
      .setIssuer(lie.issuer ?? issuer)
      .setAudience(lie.audience ?? client.id)
      .setSubject('liar')
      .setIssuedAt(lie.expired ? now - 7_200 : now)
      .setExpirationTime(lie.expired ? now - 3_600 : now + 600)
      .sign(lie.badSignature ? other.privateKey : good.privateKey);
  }

  const metadata = {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
  };
  return test;
}
