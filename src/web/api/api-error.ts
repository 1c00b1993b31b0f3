// A failed call's error: code and message from core/refusals, the invalid fields, and the request id in the
// log.
import { type RefusalCode, refusals } from '#core/base/refusals.ts';

/** `NETWORK` means no answer, `FILE_CHANGED` nothing sent; all other codes come from the server. */
export type ErrorCode = RefusalCode | 'NETWORK' | 'FILE_CHANGED';

type Details = {
  readonly code: ErrorCode;
  readonly message: string;
  readonly statusCode: number;
  readonly field?: string | undefined;
  readonly changed?: readonly string[] | undefined;
  readonly requestId?: string | undefined;
};

export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly statusCode: number;
  readonly field: string | undefined;
  readonly changed: readonly string[];
  readonly requestId: string | undefined;

  constructor(details: Details) {
    super(details.message);
    this.name = 'ApiError';
    this.code = details.code;
    this.statusCode = details.statusCode;
    this.field = details.field;
    this.changed = details.changed ?? [];
    this.requestId = details.requestId;
  }
}

const isCode = (value: unknown): value is RefusalCode => typeof value === 'string' && Object.hasOwn(refusals, value);

/** An error's details: `extensions` in GraphQL, `error` in REST calls (D38). */
type Raw = Partial<Record<'code' | 'message' | 'statusCode' | 'field' | 'changed', unknown>>;

/** Builds the error from the server's answer; an unknown code counts as INTERNAL. */
export function readApiError(raw: Raw, response?: Response): ApiError {
  const code = isCode(raw.code) ? raw.code : codeOfStatus(response?.status);
  return new ApiError({
    code,
    message: typeof raw.message === 'string' && raw.message !== '' ? raw.message : refusals[code].message,
    statusCode: typeof raw.statusCode === 'number' ? raw.statusCode : refusals[code].statusCode,
    field: typeof raw.field === 'string' ? raw.field : undefined,
    changed: Array.isArray(raw.changed) ? raw.changed.filter((field) => typeof field === 'string') : [],
    requestId: response?.headers.get('x-request-id') ?? undefined,
  });
}

/** For answers that aren't our server's, such as a proxy's. */
function codeOfStatus(status: number | undefined): RefusalCode {
  if (status === 401) return 'NOT_SIGNED_IN';
  if (status === 429) return 'TOO_MANY_ATTEMPTS';
  return status === 502 || status === 503 || status === 504 ? 'UNAVAILABLE' : 'INTERNAL';
}

export function networkError(): ApiError {
  return new ApiError({ code: 'NETWORK', message: 'Can’t reach the server', statusCode: 503 });
}

export function fileChangedError(): ApiError {
  return new ApiError({ code: 'FILE_CHANGED', message: 'The file changed. Choose it again', statusCode: 400 });
}

/** Why a file was sent without an answer: the browser no longer reads one that has changed since it was chosen. */
export const unsentFileError = (file: File): Promise<ApiError> =>
  file.slice(0, 1).arrayBuffer().then(networkError, fileChangedError);

/** Whether the change may have been made: its answer was lost, or is no refusal. */
export const isUnanswered = (error: unknown): boolean => asApiError(error).statusCode >= 500;

/** Converts anything thrown to an ApiError. */
export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return new ApiError({ code: 'INTERNAL', message: refusals.INTERNAL.message, statusCode: 500 });
}

/** Whether the same call can be answered differently later: not if what it asks for is refused. */
export const mayPassLater = ({ code }: ApiError): boolean => code !== 'FORBIDDEN' && code !== 'BAD_INPUT';
