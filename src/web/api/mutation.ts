// Mutations that ignore repeated presses: a second press before the answer joins the first.
import {
  type DefaultError,
  type MutateOptions,
  type UseMutationOptions,
  type UseMutationResult,
  // biome-ignore lint/style/noRestrictedImports: this is the wrapper that everything else imports.
  useMutation as useEveryMutation,
} from '@tanstack/react-query';
import { useRef } from 'react';
import { holdUndo } from '#web/ui/toasts.tsx';

/** Whether two calls are the same. Files and functions are compared by identity. */
export function isSameCall(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (!isPlain(one) || !isPlain(other) || Array.isArray(one) !== Array.isArray(other)) return false;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && isSameCall(one[name], other[name]))
  );
}

function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  return Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
}

type Running<Data, Variables> = { readonly variables: Variables; readonly answer: Promise<Data> };

/**
 * Like the library's, but a call with the latest one's variables joins it while it is in flight. A button is
 * only disabled after the next render, and a second click can come before that. On, off and on again are
 * three calls.
 */
export function useMutation<Data, Failure = DefaultError, Variables = void, Kept = unknown>(
  options: UseMutationOptions<Data, Failure, Variables, Kept>,
): UseMutationResult<Data, Failure, Variables, Kept> {
  const mutation = useEveryMutation(options);
  const running = useRef<Running<Data, Variables> | null>(null);
  const latest = useRef(mutation.mutateAsync);
  latest.current = mutation.mutateAsync;
  const calls = useRef<Pick<typeof mutation, 'mutate' | 'mutateAsync'>>(null);
  calls.current ??= makeCalls((variables, callbacks) => {
    const answer = latest.current(variables, callbacks);
    if (options.meta?.undoable) holdUndo(answer);
    return answer;
  }, running);
  return { ...mutation, ...calls.current };
}

type Call<Data, Failure, Variables, Kept> = (
  variables: Variables,
  callbacks?: MutateOptions<Data, Failure, Variables, Kept>,
) => Promise<Data>;

/** Created once, because effects and memos depend on its functions. */
export function makeCalls<Data, Failure, Variables, Kept>(
  call: Call<Data, Failure, Variables, Kept>,
  running: { current: Running<Data, Variables> | null },
) {
  const join: Call<Data, Failure, Variables, Kept> = (variables, callbacks) => {
    if (running.current && isSameCall(running.current.variables, variables)) return running.current.answer;
    const started = { variables, answer: call(variables, callbacks) };
    running.current = started;
    const over = () => {
      if (running.current === started) running.current = null;
    };
    started.answer.then(over, over);
    return started.answer;
  };
  return {
    mutateAsync: join,
    // The cache reports failures (query-client.ts).
    mutate: (variables: Variables, callbacks?: MutateOptions<Data, Failure, Variables, Kept>) =>
      void join(variables, callbacks).catch(() => undefined),
  } as Pick<UseMutationResult<Data, Failure, Variables, Kept>, 'mutate' | 'mutateAsync'>;
}
