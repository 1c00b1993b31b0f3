// Starts and stops viewing as someone else. Both reload the application, which empties this tab's caches.
import { homePath } from '#core/access/routes.ts';
import { graphql } from './graphql.ts';
import { request } from './request.ts';
import { personPrefix } from './session.ts';
import { readStored, writeStored } from './stored.ts';
import { keepViewing, viewingId } from './viewing-tab.ts';

const startDocument = graphql(`
  mutation StartViewing($personId: ID, $role: String) {
    startViewing(personId: $personId, role: $role) {
      id
    }
  }
`);

const stopDocument = graphql(`
  mutation StopViewing($id: ID!) {
    stopViewing(id: $id)
  }
`);

/** The page where it started; removed with the session. */
const cameFrom = `${personPrefix}viewing-from`;

export type ViewAs = { readonly personId: string } | { readonly role: string };

/** Throws an ApiError if the server refuses. */
export async function startViewing(as: ViewAs): Promise<void> {
  const { startViewing: started } = await request(startDocument, as);
  keepViewing(started.id);
  writeStored('session', cameFrom, location.pathname + location.search);
  location.assign(homePath);
}

/**
 * Clears the tab's state first: it must also work when the server is unreachable, where the viewing expires.
 */
export async function stopViewing(): Promise<void> {
  const id = viewingId();
  keepViewing(null);
  try {
    if (id !== null) await request(stopDocument, { id });
  } catch (error) {
    console.error('Telling the server to stop viewing failed', error);
  }
  location.assign(readStored('session', cameFrom) ?? homePath);
}
