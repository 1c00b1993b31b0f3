// Decides in which order a person's tasks of a sprint are shown, and what the person can put in order.
import { type Refusal, refuse } from '../base/refusals.ts';

type Identified = { readonly id: string };

/** Those in `order` first, as it says. The others follow as they are. */
export function inTaskOrder<Task extends Identified>(tasks: readonly Task[], order: readonly string[]): Task[] {
  const places = new Map(order.map((id, place) => [id, place]));
  const placeOf = ({ id }: Task) => places.get(id) ?? order.length;
  return tasks.toSorted((a, b) => placeOf(a) - placeOf(b));
}

/** The ids with this one at another place, from 0. */
export const withPlace = (ids: readonly string[], id: string, place: number): string[] =>
  ids.filter((other) => other !== id).toSpliced(place, 0, id);

/** Why a person can't order these tasks of a sprint, or null. `own`: theirs, without withdrawn ones. */
export function orderRefusal(own: readonly string[], wanted: readonly string[]): Refusal | null {
  const known = new Set(own);
  return wanted.every((id) => known.has(id))
    ? null
    : refuse('NOT_FOUND', 'You can only order your own tasks of this sprint. Reload to see its current ones', {
        field: 'taskIds',
      });
}
