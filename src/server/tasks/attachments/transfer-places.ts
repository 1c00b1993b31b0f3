// Limits how many uploads or downloads run at once on this server.
import { refuse } from '#core/base/refusals.ts';
import { RefusalError } from '#server/platform/graphql/refusal-error.ts';

/** A stolen session leaves room for its owner's. */
type MostOwn = { readonly ofSession: number; readonly ofPerson: number };

export const crowded = () => new RefusalError(refuse('TOO_MANY_ATTEMPTS'), { retryAfter: 5 });

export class TransferPlaces {
  readonly #mostOwn: MostOwn;
  /** Only current transfers. */
  readonly #taken = new Map<string, number>();

  constructor(mostOwn: MostOwn) {
    this.#mostOwn = mostOwn;
  }

  /** Takes a place, and returns what frees it. */
  take(whose: string, most: number): () => void {
    const others = this.#taken.get(whose) ?? 0;
    if (others >= most) throw crowded();
    this.#taken.set(whose, others + 1);
    return () => {
      const left = this.#taken.get(whose)! - 1;
      if (left > 0) this.#taken.set(whose, left);
      else this.#taken.delete(whose);
    };
  }

  /** The same for a person and the session that they use. */
  takeOwn(personId: string, session: string): () => void {
    const freePerson = this.take(`person ${personId}`, this.#mostOwn.ofPerson);
    try {
      const freeSession = this.take(`session ${personId} ${session}`, this.#mostOwn.ofSession);
      return () => {
        freeSession();
        freePerson();
      };
    } catch (error) {
      freePerson();
      throw error;
    }
  }
}
