// The company's identity provider, by OpenID Connect: code flow with PKCE, state and nonce, every answer
// checked.
import * as oidc from 'openid-client';
import { groupsOf } from '#core/access/single-sign-on.ts';
import { JoinedPieces } from '#server/platform/http/joined-pieces.ts';
import { inSpan } from '#server/platform/telemetry/telemetry.ts';

export type ProviderSettings = {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scopes: string;
  readonly groupsClaim: string;
  readonly redirectUri: string;
};

/** What the browser keeps on its way to the provider and back. */
export type FlowSecrets = { readonly state: string; readonly nonce: string; readonly verifier: string };

/** Who the provider signed in. A subject is only unique together with its issuer. */
export type Identified = {
  readonly issuer: string;
  readonly subject: string;
  readonly groups: readonly string[];
  /** When the person signed in there, in epoch seconds, if the provider says so. */
  readonly signedInAt: number | null;
};

export class ProviderFailure extends Error {
  override name = 'ProviderFailure';
  readonly ending: 'cancelled' | 'unreachable' | 'failed';

  constructor(ending: ProviderFailure['ending'], cause: unknown) {
    super(`Sign-in at the identity provider ended: ${ending}`, { cause });
    this.ending = ending;
  }
}

export type IdentityProvider = {
  newSecrets(): FlowSecrets;
  /**
   * Where the browser goes to sign in; `again` makes the provider ask for the password even of a signed-in
   * person.
   */
  address(secrets: FlowSecrets, again?: boolean): Promise<string>;
  /** Identifies the person by the returned query. Throws ProviderFailure. */
  identify(query: string, secrets: FlowSecrets): Promise<Identified>;
};

const answersWithinSeconds = 4;
/** A provider's answers are a few kilobytes. */
const largestAnswer = 512 * 1024;
const knownForMs = 3_600_000;

/** Limits the answer's size and follows no redirects. */
function limitedFetch(url: string, options: object): Promise<Response> {
  return inSpan('identity provider', { 'server.address': new URL(url).host }, () => fetchLimited(url, options));
}

async function fetchLimited(url: string, options: object): Promise<Response> {
  const response = await fetch(url, { ...options, redirect: 'manual' });
  const pieces = new JoinedPieces(largestAnswer);
  for await (const piece of response.body ?? [])
    if (!pieces.add(piece)) throw new Error('The answer of the identity provider is too large');
  const body = response.body === null ? null : pieces.take();
  return new Response(body, { status: response.status, headers: response.headers });
}

const isLoopback = (issuer: URL): boolean => ['localhost', '127.0.0.1', '[::1]'].includes(issuer.hostname);

function discover(settings: ProviderSettings): Promise<oidc.Configuration> {
  const issuer = new URL(settings.issuer);
  return oidc.discovery(
    issuer,
    settings.clientId,
    { redirect_uris: [settings.redirectUri], response_types: ['code'] },
    oidc.ClientSecretBasic(settings.clientSecret),
    {
      [oidc.customFetch]: limitedFetch,
      timeout: answersWithinSeconds,
      // Also checks the token's signature, not only its connection.
      execute: [oidc.enableNonRepudiationChecks, ...(isLoopback(issuer) ? [oidc.allowInsecureRequests] : [])],
    },
  );
}

/** The provider's metadata: fetched again after a failure, or after an hour. */
function knownClient(settings: ProviderSettings): () => Promise<oidc.Configuration> {
  let known: { readonly at: number; readonly client: Promise<oidc.Configuration> } | undefined;
  return () => {
    if (known && performance.now() - known.at < knownForMs) return known.client;
    const asked = { at: performance.now(), client: discover(settings) };
    known = asked;
    asked.client.catch(() => {
      if (known === asked) known = undefined;
    });
    return asked.client;
  };
}

export function openIdentityProvider(settings: ProviderSettings): IdentityProvider {
  const issuer = new URL(settings.issuer);
  const client = knownClient(settings);
  return {
    newSecrets: () => ({
      state: oidc.randomState(),
      nonce: oidc.randomNonce(),
      verifier: oidc.randomPKCECodeVerifier(),
    }),
    async address({ state, nonce, verifier }, again = false) {
      const configuration = await client().catch((error) => {
        throw new ProviderFailure(endingOf(error), error);
      });
      const parameters = {
        redirect_uri: settings.redirectUri,
        scope: settings.scopes,
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state,
        nonce,
        ...(again ? { prompt: 'login', max_age: '0' } : {}),
      };
      return oidc.buildAuthorizationUrl(configuration, parameters).href;
    },
    async identify(query, { state, nonce, verifier }) {
      try {
        const tokens = await oidc.authorizationCodeGrant(await client(), new URL(`${settings.redirectUri}?${query}`), {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        });
        const claims = tokens.claims();
        if (!claims) throw new Error('There is no ID token');
        const { sub: subject, auth_time: signedInAt = null } = claims;
        return { issuer: issuer.href, subject, groups: groupsOf(claims[settings.groupsClaim]), signedInAt };
      } catch (error) {
        throw new ProviderFailure(endingOf(error), error);
      }
    },
  };
}

/** An unreachable provider, or one with its own error, differs from an invalid answer. */
function endingOf(error: unknown): ProviderFailure['ending'] {
  if (error instanceof oidc.AuthorizationResponseError) return error.error === 'access_denied' ? 'cancelled' : 'failed';
  if (error instanceof oidc.ResponseBodyError) return error.status >= 500 ? 'unreachable' : 'failed';
  const cause = error instanceof Error ? error.cause : undefined;
  if (cause instanceof Response) return cause.status >= 500 ? 'unreachable' : 'failed';
  const { name, code } = error as { name?: string; code?: string };
  if (name === 'TimeoutError' || name === 'AbortError' || code === 'OAUTH_TIMEOUT') return 'unreachable';
  return error instanceof TypeError && error.message === 'fetch failed' ? 'unreachable' : 'failed';
}
