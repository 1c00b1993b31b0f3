// GraphQL calls: `request(document, variables)` returns the typed data or throws an ApiError.
import type { TadaDocumentNode } from 'gql.tada';
import { withoutEmpty } from '#core/base/without-empty.ts';
import { asApiError, readApiError } from './api-error.ts';
import { config } from './config.ts';
import { isConfirmCode, withConfirmation } from './confirm.ts';
import { mutationName } from './confirm-words.ts';
import { textOf } from './graphql.ts';
import { send } from './send.ts';

type Answer<Data> = {
  readonly data?: Data | null;
  readonly errors?: readonly { readonly message: string; readonly extensions?: object }[];
};

/** Changes without an answer yet, by what was sent, with the time of the last try. A repeat has the same key. */
const unanswered = new Map<string, { readonly key: string; readonly at: number }>();
/** Later, the same words are meant as another change: the first one may have been made, and is shown by then. */
const repeatMs = 10 * 60_000;

function keyOf(body: string): string {
  const at = Date.now();
  const before = unanswered.get(body);
  const key = before && at - before.at < repeatMs ? before.key : crypto.randomUUID();
  unanswered.set(body, { key, at });
  return key;
}

export type RequestOptions = {
  readonly signal?: AbortSignal;
  /** A change of many, which are made one after the other: it may take longer than a single one. */
  readonly isLong?: true;
  /** How long to wait for an answer. */
  readonly answerMs?: number;
  /** The idempotency key of a change, for callers that keep it (draft-sending.ts). */
  readonly key?: string;
};

/** Drops null and undefined variables but keeps empty strings (D36). */
export function request<Data, Variables extends object>(
  document: TadaDocumentNode<Data, Variables>,
  ...[variables, options]: Record<string, never> extends Variables
    ? [variables?: Variables, options?: RequestOptions]
    : [variables: Variables, options?: RequestOptions]
): Promise<Data> {
  const query = textOf(document);
  const body = JSON.stringify({ query, variables: withoutEmpty(variables ?? {}) });
  const run = () => withConfirmation(() => ask<Data>(query, body, options), mutationName(query), variables);
  return query.startsWith('mutation') && !options?.signal ? joinInFlight(body, run) : run();
}

/** A server of an older version, during an upgrade, refuses fields that it doesn’t know. */
export const orWithoutNewFields = <Answer>(answer: Promise<Answer>, older: () => Promise<Answer>): Promise<Answer> =>
  answer.catch((error: unknown) => {
    if (asApiError(error).code !== 'BAD_INPUT') throw error;
    return older();
  });

/** Longer than the server works on one change. Reads have no limit: repeating one starts it again. */
const changeMs = 30_000;
/** For a read that a change waits for. */
export const questionMs = 10_000;

async function ask<Data>(query: string, body: string, options: RequestOptions | undefined): Promise<Data> {
  const isChange = query.startsWith('mutation');
  const response = await send(`${config().top5ServerUrl}/graphql`, {
    method: 'POST',
    answerMs: options?.answerMs ?? (isChange && !options?.isLong ? changeMs : undefined),
    headers: {
      'content-type': 'application/json',
      accept: 'application/graphql-response+json, application/json',
      ...(isChange ? { 'idempotency-key': options?.key ?? keyOf(body) } : {}),
    },
    body,
    ...(options?.signal ? { signal: options.signal } : {}),
  });
  const answer = (await response.json().catch(() => null)) as Answer<Data> | null;
  if (answer && response.status < 500) unanswered.delete(body);
  const [error] = answer?.errors ?? [];
  if (error) {
    const failure = readApiError({ ...error.extensions, message: error.message }, response);
    if (!isConfirmCode(failure.code)) console.error(`${failure.code}: ${failure.message}`, failure.requestId ?? '');
    throw failure;
  }
  if (!response.ok || !answer?.data) throw readApiError({}, response);
  return answer.data;
}

// A second press of a button before the first answer gets that answer.
let inFlight: { readonly key: string; readonly running: Promise<unknown> } | null = null;

/**
 * Runs the call, or joins the running one with the same key. Another call in between makes it a new press.
 */
export function joinInFlight<Answer>(key: string, run: () => Promise<Answer>): Promise<Answer> {
  if (inFlight?.key === key) return inFlight.running as Promise<Answer>;
  const started = { key, running: run() };
  inFlight = started;
  const end = () => {
    if (inFlight === started) inFlight = null;
  };
  started.running.then(end, end);
  return started.running;
}
