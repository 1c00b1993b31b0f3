// The settings of the identity provider, from the environment.
import type { GroupRoles } from '#core/single-sign-on.ts';

/** The identity provider, and what its groups mean here. */
export type OidcConfig = {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** What the login page calls it. */
  readonly name: string;
  readonly scopes: string;
  readonly groupsClaim: string;
  readonly groupRoles: GroupRoles;
  readonly publicUrl: string;
};

/** What was read of the environment. */
type Read = {
  readonly OIDC_ISSUER?: string;
  readonly OIDC_CLIENT_ID?: string;
  readonly OIDC_CLIENT_SECRET?: string;
  readonly OIDC_NAME?: string;
  readonly OIDC_SCOPES?: string;
  readonly OIDC_GROUPS_CLAIM?: string;
  readonly OIDC_GROUP_ROLES?: GroupRoles;
  readonly PUBLIC_URL?: string;
};

/** Undefined: nobody signs in through a provider. That what belongs together is there is checked before. */
export function oidcConfig(read: Read): OidcConfig | undefined {
  const {
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: clientId,
    OIDC_CLIENT_SECRET: clientSecret,
    PUBLIC_URL: publicUrl,
  } = read;
  if (!issuer || !clientId || !clientSecret || !publicUrl) return undefined;
  return {
    issuer,
    clientId,
    clientSecret,
    name: read.OIDC_NAME ?? 'single sign-on',
    scopes: read.OIDC_SCOPES ?? 'openid',
    groupsClaim: read.OIDC_GROUPS_CLAIM ?? 'groups',
    groupRoles: read.OIDC_GROUP_ROLES ?? [],
    publicUrl,
  };
}
