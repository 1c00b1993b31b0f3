// A refusal of the core as an exception. This is how services and routes refuse a request.
import { isRefusal, type Refusal, refusals } from '#core/base/refusals.ts';

export class RefusalError extends Error {
  readonly refusal: Refusal;
  /** Seconds until a retry makes sense; sent as `Retry-After`. */
  readonly retryAfter: number | undefined;

  constructor(refusal: Refusal, { retryAfter }: { retryAfter?: number } = {}) {
    super(refusal.message);
    this.name = 'RefusalError';
    this.refusal = refusal;
    this.retryAfter = retryAfter;
  }

  get statusCode(): number {
    return refusals[this.refusal.code].statusCode;
  }

  /** Sent with the message over a socket, where Mercurius writes the error itself. */
  get extensions(): object {
    return { code: this.refusal.code, statusCode: this.statusCode };
  }
}

/** Returns the value, or throws the refusal. */
export function orThrow<Value>(value: Value | Refusal): Value {
  if (isRefusal(value)) throw new RefusalError(value);
  return value as Value;
}
