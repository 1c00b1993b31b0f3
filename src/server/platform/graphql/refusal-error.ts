// A refusal of the core, thrown: the one way by which a service or a route says no.
import { isRefusal, type Refusal, refusals } from '#core/base/refusals.ts';

export class RefusalError extends Error {
  readonly refusal: Refusal;
  /** Seconds after which trying again makes sense; becomes `Retry-After`. */
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

  /** What goes with the message over a socket, where Mercurius itself writes the error. */
  get extensions(): object {
    return { code: this.refusal.code, statusCode: this.statusCode };
  }
}

/** Gives the value on, or throws when it is a refusal. */
export function orThrow<Value>(value: Value | Refusal): Value {
  if (isRefusal(value)) throw new RefusalError(value);
  return value as Value;
}
