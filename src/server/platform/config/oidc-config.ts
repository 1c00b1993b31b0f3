// The settings of the identity provider, from the environment.
import type { GroupRoles } from '#core/access/single-sign-on.ts';
import type { Settings } from './config-variables.ts';

/** The identity provider, and what its groups mean here. */
export type OidcConfig = {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Its name on the sign-in page. */
  readonly name: string;
  readonly scopes: string;
  readonly groupsClaim: string;
  readonly groupRoles: GroupRoles;
  readonly publicUrl: string;
};

/** Undefined when no provider is set. config-combinations.ts has checked that the group is complete. */
export function oidcConfig(read: Settings): OidcConfig | undefined {
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
    name: read.OIDC_NAME,
    scopes: read.OIDC_SCOPES,
    groupsClaim: read.OIDC_GROUPS_CLAIM,
    groupRoles: read.OIDC_GROUP_ROLES ?? [],
    publicUrl,
  };
}
