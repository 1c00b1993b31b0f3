// What a caller sees when something fails: a code and a message from the core. The cause goes to the log
// only.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { GraphQLError } from 'graphql';
import { type Refusal, type RefusalCode, refusals, refuse } from '#core/base/refusals.ts';
import { isCanceled, isContended, isOutOfSpace, isUnavailable } from '../db/database-failures.ts';
import { quietFlood } from '../http/quiet-refusals.ts';
import { FileMissing, FilesUnavailable } from '../storage/files.ts';
import { RefusalError } from './refusal-error.ts';

export type Failure = {
  readonly refusal: Refusal;
  readonly statusCode: number;
  readonly retryAfter?: number | undefined;
};

/** Seconds: a database or file store that can recover is back sooner. */
const retryAfterSeconds = 2;
/** What took too long takes long again. */
const retryAfterSlowSeconds = 30;
const collided = refuse('UNAVAILABLE', 'Others are changing the same things. Try again in a moment');

const codesOfFastify: Readonly<Record<string, RefusalCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'BODY_TOO_LARGE',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'MEDIA_TYPE_NOT_SUPPORTED',
  FST_ERR_ROUTE_METHOD_NOT_SUPPORTED: 'BAD_REQUEST',
};

/** File system errors: the volume or the quota is full. */
const outOfSpace = new Set<unknown>(['ENOSPC', 'EDQUOT']);

const failed = (code: RefusalCode, retryAfter?: number): Failure => ({
  refusal: refuse(code),
  statusCode: refusals[code].statusCode,
  retryAfter,
});

/**
 * Node's errors when the caller hangs up, during a request or its answer. The first has the same code as a
 * broken database connection.
 */
const isHungUp = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  ((error.message === 'aborted' && error.code === 'ECONNRESET') || error.code === 'ERR_STREAM_PREMATURE_CLOSE');

/** Maps any thrown value. INTERNAL is everything unexpected. */
export function failureOf(error: unknown): Failure {
  if (error instanceof RefusalError)
    return { refusal: error.refusal, statusCode: error.statusCode, retryAfter: error.retryAfter };
  if (error instanceof FilesUnavailable) return failed('FILES_UNAVAILABLE', retryAfterSeconds);
  if (error instanceof FileMissing) return failed('FILE_LOST');
  if (isHungUp(error)) return failed('BAD_REQUEST');
  if (isCanceled(error)) return failed('TOO_SLOW', retryAfterSlowSeconds);
  if (isUnavailable(error)) return failed('UNAVAILABLE', retryAfterSeconds);
  if (isContended(error)) return { ...failed('UNAVAILABLE', retryAfterSeconds), refusal: collided };
  if (isOutOfSpace(error) || outOfSpace.has((error as { code?: unknown } | null)?.code)) return failed('OUT_OF_SPACE');
  const { code, statusCode } = (typeof error === 'object' && error !== null ? error : {}) as {
    code?: string;
    statusCode?: number;
  };
  const known = code === undefined ? undefined : codesOfFastify[code];
  if (known !== undefined) return failed(known);
  // Fastify's message for an unreadable body.
  return typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500
    ? failed('BAD_REQUEST')
    : failed('INTERNAL');
}

export function bodyOf({ refusal: { kind: _kind, ...rest } }: Failure): Omit<Refusal, 'kind'> {
  return rest;
}

/** A refusal isn't an error, also if it is ours to end: a sprint is being recorded, or reports are waiting. */
export function logFailure(log: FastifyRequest['log'], failure: Failure, error: unknown): void {
  const level = error instanceof RefusalError ? 'warn' : 'error';
  if (failure.statusCode >= 500) log[level]({ err: error, code: failure.refusal.code }, failure.refusal.message);
  else if (error instanceof FileMissing) log.warn({ err: error, code: failure.refusal.code }, failure.refusal.message);
  else log.info({ code: failure.refusal.code, field: failure.refusal.field }, failure.refusal.message);
}

/** Answers a REST call: `{error: {code, message, field?}}` (D38). */
export function answerFailure(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const failure = failureOf(error);
  quietFlood(request);
  logFailure(request.log, failure, error);
  if (failure.retryAfter !== undefined) reply.header('retry-after', String(Math.ceil(failure.retryAfter)));
  // When a file fails before its first byte, the file headers are already set.
  return reply
    .code(failure.statusCode)
    .removeHeader('content-disposition')
    .type('application/json; charset=utf-8')
    .send({ error: bodyOf(failure) });
}

/** Suggestions reveal parts of the schema that the caller didn't ask about. */
const suggestion = /\s*Did you mean .*$/s;

/** A message quotes what the caller sent, which can be long. */
const longestMessage = 300;

/** An error from graphql-js: an invalid query, or a value of the wrong type. */
function failureOfQuery(error: GraphQLError): Failure {
  const code = error.message.startsWith('Syntax Error') ? 'BAD_REQUEST' : 'BAD_INPUT';
  const message = error.message.slice(0, longestMessage).replace(suggestion, '');
  return { refusal: refuse(code, message), statusCode: refusals[code].statusCode };
}

const isOfQuery = (error: unknown): boolean =>
  error instanceof GraphQLError && error.path === undefined && !isCausedByUs(error);

const isCausedByUs = ({ originalError }: GraphQLError): boolean =>
  originalError !== undefined && !(originalError instanceof GraphQLError);

/**
 * Errors before the execution have no path. With a path but no cause of ours, a resolver broke the schema.
 */
function failureOfGraphql(error: GraphQLError): Failure {
  if (isCausedByUs(error)) return failureOf(error.originalError);
  return error.path === undefined ? failureOfQuery(error) : failed('INTERNAL');
}

export type GraphqlFailures = {
  readonly statusCode: number;
  readonly retryAfter?: number | undefined;
  readonly errors: readonly {
    readonly message: string;
    readonly path?: readonly (string | number)[];
    readonly extensions: object;
  }[];
};

/** A query has 500 fields at most, and a list can fail with each of its items. */
const mostErrors = 500;
const mostLogged = 20;

/**
 * The errors of an answer. The status stays 200 unless nothing could be executed (400) or the whole server is
 * unavailable (503, 507), which a client should see without reading the body.
 */
export function graphqlFailures(
  errors: readonly unknown[],
  log: FastifyRequest['log'],
  executed: boolean,
): GraphqlFailures {
  const failures = errors.slice(0, mostErrors).map((error, index) => {
    const failure = error instanceof GraphQLError ? failureOfGraphql(error) : failureOf(error);
    // Its message quotes what the caller typed.
    const logged = isOfQuery(error) ? failed(failure.refusal.code) : failure;
    if (index < mostLogged)
      logFailure(log, logged, error instanceof GraphQLError ? (error.originalError ?? error) : error);
    return { failure, path: error instanceof GraphQLError ? error.path : undefined };
  });
  const serverWide = failures.find(({ failure }) => failure.statusCode === 503 || failure.statusCode === 507)?.failure;
  return {
    statusCode: serverWide?.statusCode ?? (executed ? 200 : (failures[0]?.failure.statusCode ?? 400)),
    retryAfter: serverWide?.retryAfter ?? failures[0]?.failure.retryAfter,
    errors: failures.map(({ failure, path }) => {
      const { message, ...rest } = bodyOf(failure);
      return { message, ...(path ? { path } : {}), extensions: { ...rest, statusCode: failure.statusCode } };
    }),
  };
}
