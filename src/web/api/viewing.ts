// Starting and stopping to look as somebody else. Both load the application anew, which empties every cache of this tab.
import { homePath } from '#core/access/routes.ts';
import { graphql } from './graphql.ts';
import { request } from './request.ts';
import { ofPerson } from './session.ts';
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

/** The page that the look began on; goes with the session. */
const cameFrom = `${ofPerson}viewing-from`;

export type ViewAs = { readonly personId: string } | { readonly role: string };

/** Throws an ApiError when the server does not let it begin. */
export async function startViewing(as: ViewAs): Promise<void> {
  const { startViewing: started } = await request(startDocument, as);
  keepViewing(started.id);
  writeStored('session', cameFrom, location.pathname + location.search);
  location.assign(homePath);
}

/** Leaves the look first: a server out of reach holds nobody in it, and it ends there by itself. */
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
