// How terms of qualifications are written.
import { type Requirement, requirementKinds } from '#core/people/qualifications.ts';

export function termWords(validMonths: number | null): string {
  if (validMonths === null) return 'doesn’t expire';
  if (validMonths % 12 === 0) return validMonths === 12 ? 'valid for 1 year' : `valid for ${validMonths / 12} years`;
  return validMonths === 1 ? 'valid for 1 month' : `valid for ${validMonths} months`;
}

export const requirementWords = ({ kind, validMonths }: Pick<Requirement, 'kind' | 'validMonths'>): string =>
  `${requirementKinds[kind].title}, ${termWords(validMonths)}`;
