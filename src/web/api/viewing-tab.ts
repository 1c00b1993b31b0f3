// Whether this tab views as someone else, and the header that says so. Other tabs aren't affected.
import { viewingHeader } from '#core/access/viewing.ts';
import { personPrefix } from './session.ts';
import { readStored, writeStored } from './stored.ts';

/** Removed with the session: signing out ends it. */
const key = `${personPrefix}viewing`;

/** This tab's viewing, or null. */
export function viewingId(): string | null {
  return readStored('session', key);
}

export function isViewing(): boolean {
  return viewingId() !== null;
}

export function keepViewing(id: string | null): void {
  writeStored('session', key, id);
}

/** For every call with the session's token: without it the call would use one's own account. */
export function viewingHeaders(): Record<string, string> {
  const id = viewingId();
  return id === null ? {} : { [viewingHeader]: id };
}

/** The viewing ended: reloads this tab as the signed-in person. */
export function loadAsOneself(): Promise<never> {
  keepViewing(null);
  location.reload();
  return new Promise<never>(() => {});
}
