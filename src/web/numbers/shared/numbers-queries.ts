// The queries of a page's tiles for its view.
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { ApiError } from '#web/api/api-error.ts';
import { type Asked, questionOf, type View } from '#web/api/number-view.ts';
import { type Numbers, numbersQuery } from '#web/api/numbers.ts';

export function useNumbers(view: View, asked: Asked): UseQueryResult<Numbers, ApiError> {
  return useQuery(numbersQuery(questionOf(view, asked)));
}
