// What a correct password opens, given the person's factors and the policy.
import type { SessionLevel } from '#core/access/account-events.ts';
import {
  isEnrolled,
  levelAfterPassword,
  needsSecondFactor,
  type SecondStep,
  secondStepsFor,
} from '#core/access/second-factor.ts';
import type { Services } from '#server/platform/context.ts';
import type { Queries } from '#server/platform/db/database.ts';
import * as store from './factors.store.ts';

export type StepAfterPassword = { readonly level: SessionLevel; readonly steps: readonly SecondStep[] };

export async function stepAfterPassword(
  { config }: Pick<Services, 'config'>,
  queries: Queries,
  personId: string,
): Promise<StepAfterPassword> {
  const factors = await store.readFactors(queries, personId);
  const person = await store.readPersonOfPolicy(queries, personId);
  const required = person !== undefined && needsSecondFactor(config.secondFactor, person);
  return { level: levelAfterPassword({ enrolled: isEnrolled(factors), required }), steps: secondStepsFor(factors) };
}
