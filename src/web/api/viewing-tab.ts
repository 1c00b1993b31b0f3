// Whether this tab looks at the product as somebody else, and the header that says so. Other tabs stay as they are.
import { viewingHeader } from '#core/access/viewing.ts';
import { ofPerson } from './session.ts';
import { readStored, writeStored } from './stored.ts';

/** Goes with the session: whoever signs out looks as nobody. */
const key = `${ofPerson}viewing`;

/** The look of this tab, or null. */
export function viewingId(): string | null {
  return readStored('session', key);
}

export function isViewing(): boolean {
  return viewingId() !== null;
}

export function keepViewing(id: string | null): void {
  writeStored('session', key, id);
}

/** For every call with the session's token: without it the call would be one's own. */
export function viewingHeaders(): Record<string, string> {
  const id = viewingId();
  return id === null ? {} : { [viewingHeader]: id };
}

/** The look is over: this tab loads again as who it really is. */
export function loadAsOneself(): Promise<never> {
  keepViewing(null);
  location.reload();
  return new Promise<never>(() => {});
}
