// Decides whether the demo company, whose passwords are public, can be loaded and served.
import type { Settings } from './config-variables.ts';

export type DemoPolicy = {
  /** Whether to load it into an empty database. */
  readonly load: boolean;
  /** Why a database with the demo company isn't served; null if it can be. */
  readonly refusal: string | null;
  /** Whether other machines can use it. */
  readonly isPublic: boolean;
};

export const loopback = /^(localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/;

/** The setting that lets other machines reach this server, or null. */
function exposure({ HOST, PUBLIC_URL, TRUSTED_PROXIES }: Settings): string | null {
  if (!loopback.test(HOST)) return `HOST is ${HOST}`;
  if (PUBLIC_URL && !loopback.test(new URL(PUBLIC_URL).hostname)) return `PUBLIC_URL is ${PUBLIC_URL}`;
  return TRUSTED_PROXIES ? 'TRUSTED_PROXIES is set' : null;
}

export function demoPolicy(settings: Settings): DemoPolicy {
  const { DEMO, APP_ENV, ADMIN_EMAIL, DATABASE_URL } = settings;
  const refusal = (): string | null => {
    if (APP_ENV === 'production') return 'APP_ENV is production';
    if (DEMO === true) return null;
    if (DEMO === false) return 'DEMO is 0';
    if (ADMIN_EMAIL) return 'ADMIN_EMAIL asks for your own company';
    const exposed = exposure(settings);
    return exposed && `${exposed}, so other machines can reach it`;
  };
  const reason = refusal();
  return { load: DEMO ?? (!DATABASE_URL && reason === null), refusal: reason, isPublic: DEMO === true };
}
