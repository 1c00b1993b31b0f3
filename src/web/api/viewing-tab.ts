// Whether this tab views as someone else, and the header that says whose it is. Other tabs aren't affected.
import { personHeader, viewingHeader } from '#core/access/viewing.ts';
import { personOfTab, personPrefix } from './session.ts';
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

/**
 * For every call with the session's token: this tab's viewing, without which the call would use one's own
 * account, or whose page it is.
 */
export function callerHeaders(): Record<string, string> {
  const id = viewingId();
  if (id !== null) return { [viewingHeader]: id };
  const person = personOfTab();
  return person === null ? {} : { [personHeader]: person };
}

/** The viewing ended: reloads this tab as the signed-in person. */
export function loadAsOneself(): Promise<never> {
  keepViewing(null);
  location.reload();
  return new Promise<never>(() => {});
}
