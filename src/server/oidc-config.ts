// The settings of the identity provider, from the environment.
import type { GroupRoles } from '#core/single-sign-on.ts';
import * as values from './config-values.ts';

export const oidcVariables = {
  OIDC_ISSUER: values.issuer,
  OIDC_CLIENT_ID: values.text,
  OIDC_CLIENT_SECRET: values.secret,
  OIDC_NAME: values.text,
  OIDC_SCOPES: values.scopes,
  OIDC_GROUPS_CLAIM: values.text,
  OIDC_GROUP_ROLES: values.groupRoles,
} as const;

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

type Read = {
  [Name in keyof typeof oidcVariables]?: (typeof oidcVariables)[Name] extends values.Variable<infer T> ? T : never;
} & { readonly PUBLIC_URL?: string };

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
