// Sends a draft with a key that is kept until the answer, for every tab and after a reload. After a lost
// answer, the server says by the key what the call created, so nothing is sent twice.
import { useEffect, useMemo, useRef, useState } from 'react';
import { useConnectionLost } from '#web/ui/connection.ts';
import { asApiError, isUnanswered } from './api-error.ts';
import { graphql } from './graphql.ts';
import { questionMs, request } from './request.ts';
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

/** Where a form's sendings without an answer are. `own`: the storage can be full, or hold another tab's. */
type Place<Sent> = { readonly at: string | null; own: Sending<Sent> | null };

/** `made` is undefined if a server of an older version, during an upgrade, can't say what became of it. */
type Found<Sent, Made> = { readonly sent: Sent; readonly made: Made | undefined };

type Options<Sent, Made> = {
  /** The draft's key. Null: nothing is kept. */
  readonly draft: string | null;
  readonly send: (sent: Sent, key: string) => Promise<Made>;
  /** What an earlier call created. Null if it was removed since. */
  readonly find: (id: string, sent: Sent) => Promise<Made | null>;
  /**
   * It arrived, though its answer was lost, or another tab sent it (`made` is null). Returns whether the form
   * holds a corrected one, which is then held back once, unless `endCorrection` is called.
   */
  readonly onFound: (sent: Sent, made: Made | null) => boolean;
  readonly nameOf: (sent: Sent) => string;
};

/** How the draft is sent. Looks for a lost sending when the form opens and the connection is back. */
export function useDraftSending<Sent, Made>(options: Options<Sent, Made>) {
  const { id } = useViewer();
  const at = options.draft === null || isViewing() ? null : `${personPrefix}${id}:sending:${options.draft}`;
  const place = useMemo<Place<Sent>>(() => ({ at, own: null }), [at]);
  const latest = useRef(options);
  latest.current = options;
  const isClosed = useClosed();
  const finding = useRef<Promise<Found<Sent, Made> | null> | null>(null);
  const corrected = useRef<Found<Sent, Made> | null>(null);
  const isOther = useRef(false);
  const underWay = useRef(false);
  const [isSending, setSending] = useState(false);
  const findLost = () => {
    finding.current ??= find<Sent, Made>(place, latest.current.find).finally(() => {
      finding.current = null;
    });
    return finding.current;
  };
  const lost = useConnectionLost();
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once per place, and when the connection is back.
  useEffect(() => {
    if (lost || finding.current || underWay.current) return;
    findLost().then(
      (found) => {
        if (found?.made === undefined || underWay.current) return;
        corrected.current = latest.current.onFound(found.sent, found.made) && !isOther.current ? found : null;
      },
      // Sending asks again.
      () => undefined,
    );
  }, [at, lost]);
  useSentElsewhere(place, (sent) => latest.current.onFound(sent, null));
  const send = async (sent: Sent): Promise<Made> => {
    underWay.current = true;
    setSending(true);
    try {
      const found = corrected.current ?? (await findLost());
      corrected.current = null;
      if (isClosed()) throw new Error('Not sent, because the form was closed');
      const isRepeat = found !== null && isSame(found.sent, sent);
      const isOver = found?.made !== undefined && !isRepeat && isOther.current;
      if (isOver) latest.current.onFound(found.sent, found.made ?? null);
      if (!found || isOver || (isRepeat && found.made === undefined)) return await sendKept(place, sent, options.send);
      if (isRepeat && found.made !== undefined) return found.made;
      throw new Error(heldBack(found, options.nameOf(found.sent)));
    } catch (error) {
      if (isUnanswered(error)) isOther.current = false;
      throw error;
    } finally {
      underWay.current = false;
      setSending(false);
    }
  };
  /** For emptied fields: what is typed next is no correction of what was found, or will be. */
  const endCorrection = () => {
    isOther.current = true;
    corrected.current = null;
  };
  return { send, isSending, endCorrection };
}

/** Another tab sent it. */
function useSentElsewhere<Sent>(place: Place<Sent>, onSent: (sent: Sent) => void): void {
  const latest = useRef(onSent);
  latest.current = onSent;
  useEffect(() => {
    const listen = ({ key, newValue }: StorageEvent) => {
      const sending = key !== null && key === place.at ? parse<Sent>(newValue) : null;
      if (!sending?.isDone) return;
      if (place.own?.key === sending.key) place.own = null;
      latest.current(sending.sent);
    };
    window.addEventListener('storage', listen);
    return () => window.removeEventListener('storage', listen);
  }, [place]);
}

const heldBack = ({ made }: Found<unknown, unknown>, name: string): string =>
  made === undefined
    ? `“${name}” may have been sent. Try again in a few minutes`
    : `“${name}” was already sent. Send again to add this too`;

function useClosed(): () => boolean {
  const isOpen = useRef(true);
  useEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
    };
  }, []);
  return () => !isOpen.current;
}

async function find<Sent, Made>(
  place: Place<Sent>,
  findMade: Options<Sent, Made>['find'],
): Promise<Found<Sent, Made> | null> {
  for (const sending of kept(place)) {
    const id = await resultOf(sending.key);
    if (id === undefined) return { sent: sending.sent, made: undefined };
    if (id === null) continue;
    const made = await findMade(id, sending.sent);
    end(place, sending, made !== null);
    if (made !== null) return { sent: sending.sent, made };
  }
  return null;
}

/** Undefined from a server of an older version, which refuses the question. */
async function resultOf(key: string): Promise<string | null | undefined> {
  try {
    return (await request(callResultDocument, { key }, { answerMs: questionMs })).callResult;
  } catch (error) {
    if (asApiError(error).code === 'BAD_INPUT') return undefined;
    throw error;
  }
}

async function sendKept<Sent, Made>(place: Place<Sent>, sent: Sent, send: Options<Sent, Made>['send']): Promise<Made> {
  const before = kept(place).find((each) => isSame(each.sent, sent));
  const sending = before ?? { key: crypto.randomUUID(), sent };
  if (place.at !== null) place.own = sending;
  write(place.at, sending);
  try {
    const made = await send(sent, sending.key);
    end(place, sending, true);
    return made;
  } catch (error) {
    if (!isUnanswered(error) && asApiError(error).code !== 'STILL_RUNNING') end(place, sending, false);
    throw error;
  }
}

function kept<Sent>({ at, own }: Place<Sent>): readonly Sending<Sent>[] {
  const stored = read<Sent>(at);
  return [own, stored?.key === own?.key ? null : stored].filter((each) => each !== null);
}

function end<Sent>(place: Place<Sent>, sending: Sending<Sent>, isDone: boolean): void {
  const { at } = place;
  if (place.own?.key === sending.key) place.own = null;
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
