// Calls to the product over HTTP, and what became of each: an answer that says yes, one that says later,
// none, or one that is wrong.
import { randomUUID } from 'node:crypto';

export type Answered =
  | { readonly kind: 'done'; readonly body: Json; readonly status: number }
  /** 503, 507, 409 of a call that still runs, 429: the caller is to come again. */
  | { readonly kind: 'later'; readonly status: number; readonly retryAfter: string | null; readonly code: string }
  /** Refused for good. */
  | { readonly kind: 'refused'; readonly status: number; readonly code: string }
  | { readonly kind: 'unanswered'; readonly why: string };

// biome-ignore lint/suspicious/noExplicitAny: what a fault reads from an answer, its comparison checks
type Json = Record<string, any>;

/** Far above what any call takes: a busy machine is no fault of the product. */
const longestCallMs = 120_000;
const laterCodes = new Set(['UNAVAILABLE', 'TOO_SLOW', 'OUT_OF_SPACE', 'STILL_RUNNING', 'TOO_MANY_ATTEMPTS']);

type Call = { readonly token: string; readonly key?: string };

export async function send(url: string, init: RequestInit = {}): Promise<Answered> {
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(longestCallMs) });
    if (!response.headers.get('content-type')?.startsWith('application/json'))
      return { kind: 'unanswered', why: `${response.status} of something in between` };
    const body = (await response.json()) as Json;
    const code: string | undefined = body.errors?.[0]?.extensions?.code ?? body.error?.code;
    const { status } = response;
    if (status < 400 && code === undefined) return { kind: 'done', body, status };
    const retryAfter = response.headers.get('retry-after');
    if (code !== undefined && laterCodes.has(code)) return { kind: 'later', status, retryAfter, code };
    return { kind: 'refused', status, code: code ?? 'none' };
  } catch (error) {
    const { cause, message } = error as Error & { cause?: Error };
    return { kind: 'unanswered', why: cause?.message || message };
  }
}

export function graphql(url: string, { token, key }: Call, query: string, variables: object): Promise<Answered> {
  return send(`${url}/graphql`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      ...(key === undefined ? {} : { 'idempotency-key': key.replaceAll(' ', '-') }),
    },
    body: JSON.stringify({ query, variables }),
  });
}

export type SentFile = { readonly taskId: string; readonly name: string; readonly content: Buffer };

export function upload(url: string, { token, key }: Call, { taskId, name, content }: SentFile): Promise<Answered> {
  const mark = randomUUID();
  const head = `--${mark}\r\nContent-Disposition: form-data; name="taskId"\r\n\r\n${taskId}\r\n--${mark}\r\nContent-Disposition: form-data; name="attachment"; filename="${name}"\r\nContent-Type: text/plain\r\n\r\n`;
  return send(`${url}/attachment`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': `multipart/form-data; boundary=${mark}`,
      ...(key === undefined ? {} : { 'idempotency-key': key.replaceAll(' ', '-') }),
    },
    body: Buffer.concat([Buffer.from(head), content, Buffer.from(`\r\n--${mark}--\r\n`)]),
  });
}
