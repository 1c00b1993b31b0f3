// Filters a socket's messages before and after Mercurius, which trusts its input. Invalid messages end the
// socket, and every outgoing error has a code and a message from the core.
import { type RefusalCode, refusals, refuse } from '#core/base/refusals.ts';

/** The parts of the `ws` package's socket that are used. */
type GuardedSocket = {
  emit(event: string | symbol, ...parameters: unknown[]): boolean;
  send(text: string, sent?: (error?: Error) => void): void;
  close(code: number, reason: string): void;
};

/** From the graphql-transport-ws protocol. */
const closeCodes = { badMessage: 4400, notSignedIn: 4401, initialisedTwice: 4429, tooMany: 1008 } as const;
/** A page sends about ten messages when it opens, then a heartbeat now and then. */
export const messageLimits = {
  most: 60,
  inMs: 10_000,
  /**
   * Mercurius parses a message, and the query in it, before it asks anyone. Ours have at most 400 bytes.
   */
  bytes: 4_096,
} as const;
/** Mercurius keeps some memory for every failed subscription until its socket ends. */
const mostErrors = 50;

type Message = { readonly id?: unknown; readonly type: string; readonly payload?: unknown };

function messageOf(data: unknown): Message | null {
  try {
    const message = JSON.parse(String(data)) as Partial<Message> & { extensions?: unknown };
    // Rejects a second way to authenticate after the first message; our client never uses it.
    const isPlain = typeof message === 'object' && message !== null && message.extensions === undefined;
    return isPlain && typeof message.type === 'string' ? (message as Message) : null;
  } catch {
    return null;
  }
}

function withCoreMessage(error: { extensions?: { code?: unknown } }, code: RefusalCode): object {
  if (typeof error?.extensions?.code === 'string' && Object.hasOwn(refusals, error.extensions.code)) return error;
  const { message } = refuse(code);
  return { message, extensions: { code, statusCode: refusals[code].statusCode } };
}

/** A protocol error has a list for a subscription, and an object for the whole socket. */
function answerOf(text: string): { text: string; isError: boolean } {
  const answer = JSON.parse(text) as Message;
  const isError = answer.type === 'error' || answer.type === 'connection_error';
  if (!isError) return { text, isError };
  const payload = Array.isArray(answer.payload)
    ? answer.payload.map((error) => withCoreMessage(error, 'BAD_REQUEST'))
    : withCoreMessage({}, 'NOT_SIGNED_IN');
  return { text: JSON.stringify({ ...answer, payload }), isError };
}

/** Call before anything else listens to the socket. */
export function guardSocket(socket: GuardedSocket): void {
  const emit = socket.emit.bind(socket);
  const send = socket.send.bind(socket);
  let isInitialised = false;
  let errors = 0;
  let said = 0;
  let countedSince = performance.now();
  const isFlood = (): boolean => {
    const now = performance.now();
    if (now - countedSince > messageLimits.inMs) [said, countedSince] = [0, now];
    said += 1;
    return said > messageLimits.most;
  };
  const admits = (message: Message | null): boolean => {
    const isInit = message?.type === 'connection_init';
    if (message === null) socket.close(closeCodes.badMessage, refusals.BAD_REQUEST.message);
    else if (!isInit && !isInitialised) socket.close(closeCodes.notSignedIn, refusals.NOT_SIGNED_IN.message);
    else if (isInit && isInitialised) socket.close(closeCodes.initialisedTwice, refusals.BAD_REQUEST.message);
    else {
      isInitialised ||= isInit;
      return true;
    }
    return false;
  };
  socket.emit = (event, ...parameters) => {
    // Anything after the last allowed message is ignored.
    if (event === 'message' && isFlood()) {
      socket.close(closeCodes.tooMany, refusals.TOO_MANY_ATTEMPTS.message);
      return true;
    }
    if (event === 'message' && !admits(messageOf(parameters[0]))) return true;
    return emit(event, ...parameters);
  };
  socket.send = (text, sent) => {
    const answer = answerOf(text);
    errors += answer.isError ? 1 : 0;
    send(answer.text, sent);
    if (errors > mostErrors) socket.close(closeCodes.badMessage, refusals.BAD_REQUEST.message);
  };
}
