// "Arrived from /" (spec 2): the login page opens the application with a full load, so it leaves a mark.
import { loginPath } from '#core/access/routes.ts';
import { readStored, writeStored } from '#web/api/stored.ts';

const key = 'came-from';

export function markCameFromLogin(): void {
  writeStored('session', key, loginPath);
}

export function cameFrom(): string | undefined {
  return readStored('session', key) ?? undefined;
}

export function forgetCameFrom(): void {
  writeStored('session', key, null);
}
