// Detects changes based on an old version. Used by the services of everything with a version.
import { type Refusal, refuse } from './refusals.ts';

/** `known`: the version the caller saw; without one the change applies to the current state. */
export function staleRefusal(stored: number, known: number | undefined): Refusal | null {
  return known === undefined || known === stored ? null : refuse('CONFLICT');
}
