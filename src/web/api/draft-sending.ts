// Sends a draft with a key that is kept until the answer, for every tab and after a reload. After a lost
// answer, the server says by the key what the call created, so nothing is sent twice.
import { useEffect, useRef } from 'react';
import { useConnectionLost } from '#web/ui/connection.ts';
import { asApiError, isUnanswered } from './api-error.ts';
import { graphql } from './graphql.ts';
import { request } from './request.ts';
import { personPrefix } from './session.ts';
import { readStored, writeStored } from './stored.ts';
import { useViewer } from './viewer.ts';
import { isViewing } from './viewing-tab.ts';

const callResultDocument = graphql(`
  query CallResult($key: String!) {
    callResult(key: $key)
  }
`);

/** A sending without an answer. `isDone` is only written to tell the other tabs. */
type Sending<Sent> = { readonly key: string; readonly sent: Sent; readonly isDone?: true };

type Options<Sent, Made> = {
  /** The draft's key. Null: nothing is kept. */
  readonly draft: string | null;
  readonly send: (sent: Sent, key: string) => Promise<Made>;
  /** What an earlier call created. Null if it was removed since. */
  readonly find: (id: string) => Promise<Made | null>;
  /** It arrived, though its answer was lost, or another tab sent it (`made` is null). */
  readonly onFound: (sent: Sent, made: Made | null) => void;
  readonly nameOf: (sent: Sent) => string;
};

/** Returns how the draft is sent. Looks for a lost sending when the form opens and the connection is back. */
export function useDraftSending<Sent, Made>(options: Options<Sent, Made>): (sent: Sent) => Promise<Made> {
  const { id } = useViewer();
  const at = options.draft === null || isViewing() ? null : `${personPrefix}${id}:sending:${options.draft}`;
  const latest = useRef(options);
  latest.current = options;
  const finding = useRef<ReturnType<typeof find<Sent, Made>> | null>(null);
  const isSending = useRef(false);
  const findLost = () => {
    finding.current ??= find<Sent, Made>(at, latest.current.find).finally(() => {
      finding.current = null;
    });
    return finding.current;
  };
  const lost = useConnectionLost();
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once per place, and when the connection is back.
  useEffect(() => {
    if (lost || finding.current) return;
    findLost().then(
      (found) => found && !isSending.current && latest.current.onFound(found.sent, found.made),
      // Sending asks again.
      () => undefined,
    );
  }, [at, lost]);
  useEffect(() => {
    const listen = ({ key, newValue }: StorageEvent) => {
      const sending = key !== null && key === at ? parse<Sent>(newValue) : null;
      if (sending?.isDone) latest.current.onFound(sending.sent, null);
    };
    window.addEventListener('storage', listen);
    return () => window.removeEventListener('storage', listen);
  }, [at]);
  return async (sent) => {
    isSending.current = true;
    try {
      const found = await findLost();
      if (!found) return await sendKept(at, sent, options.send);
      if (isSame(found.sent, sent)) return found.made;
      throw new Error(`“${options.nameOf(found.sent)}” was already sent. Send again to add this too`);
    } finally {
      isSending.current = false;
    }
  };
}

async function find<Sent, Made>(at: string | null, findMade: Options<Sent, Made>['find']) {
  const sending = read<Sent>(at);
  if (!sending) return null;
  const { callResult: id } = await request(callResultDocument, { key: sending.key });
  if (id === null) return null;
  const made = await findMade(id);
  end(at, sending, made !== null);
  return made === null ? null : { sent: sending.sent, made };
}

async function sendKept<Sent, Made>(at: string | null, sent: Sent, send: Options<Sent, Made>['send']): Promise<Made> {
  const before = read<Sent>(at);
  const sending = before && isSame(before.sent, sent) ? before : { key: crypto.randomUUID(), sent };
  write(at, sending);
  try {
    const made = await send(sent, sending.key);
    end(at, sending, true);
    return made;
  } catch (error) {
    if (!isUnanswered(error) && asApiError(error).code !== 'STILL_RUNNING') end(at, sending, false);
    throw error;
  }
}

function end<Sent>(at: string | null, sending: Sending<Sent>, isDone: boolean): void {
  if (read(at)?.key !== sending.key) return;
  if (isDone) write(at, { ...sending, isDone });
  write(at, null);
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

const read = <Sent>(at: string | null): Sending<Sent> | null => (at === null ? null : parse(readStored('local', at)));

function write<Sent>(at: string | null, sending: Sending<Sent> | null): void {
  if (at !== null) writeStored('local', at, sending && JSON.stringify(sending));
}

function parse<Sent>(text: string | null): Sending<Sent> | null {
  try {
    return JSON.parse(text ?? 'null') as Sending<Sent> | null;
  } catch {
    return null;
  }
}
