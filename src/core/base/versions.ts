// Decides whether a change is made to what its maker saw.
// Asked by the services of everything that counts a version and is changed whole.
import { type Refusal, refuse } from './refusals.ts';

/** `known`: the version that the caller saw; without one the change goes to what is there. */
export function staleRefusal(stored: number, known: number | undefined): Refusal | null {
  return known === undefined || known === stored ? null : refuse('CONFLICT');
}
