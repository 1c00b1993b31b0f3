// A change that its toast can undo, and that the page can show before the answer: the one way.
import { type DefaultError, type QueryKey, useQueryClient } from '@tanstack/react-query';
import { showToast } from '#web/ui/toasts.tsx';
import { useMutation } from './mutation.ts';

/** What the toast says. `undo` takes the change back, and `undone` says that it did. */
type Done = {
  readonly message: string;
  readonly undo?: (() => Promise<unknown>) | undefined;
  readonly undone?: string;
};

type Options<Data, Variables> = {
  readonly send: (variables: Variables) => Promise<Data>;
  /** The queries that show the change, by the start of their key. They are read again after it and after Undo. */
  readonly touches: readonly QueryKey[];
  /** Shows the result before the answer, and returns what puts the old state back after a refusal. */
  readonly guess?: (variables: Variables) => () => void;
  /** Null: no toast. */
  readonly done?: (data: Data, variables: Variables) => Done | null;
  /** After the page shows the result. */
  readonly onDone?: (data: Data, variables: Variables) => void;
  readonly meta?: { readonly what?: string; readonly quiet?: boolean };
  /** Changes with the same scope are sent one after the other. */
  readonly scope?: { readonly id: string };
};

export function useChange<Data, Variables = void>(options: Options<Data, Variables>) {
  const { send, touches, guess, done, onDone, ...others } = options;
  const client = useQueryClient();
  const mutationKey = ['change', ...touches];
  const readAgain = async () => {
    // The server doesn't know a later guess yet, so only the last pending change reads again.
    if (guess && client.isMutating({ mutationKey }) > 1) return;
    await Promise.all(touches.map((queryKey) => client.invalidateQueries({ queryKey })));
  };
  const takeBack = useMutation({
    mutationKey,
    ...(options.scope ? { scope: options.scope } : {}),
    mutationFn: ({ undo }: Done) => undo!(),
    onSuccess: (_data, { undone }) => undone !== undefined && showToast({ message: undone }),
    onSettled: readAgain,
    meta: { retryable: true },
  });
  return useMutation<Data, DefaultError, Variables, (() => void) | undefined>({
    ...others,
    meta: { retryable: true, ...options.meta, ...(done && { undoable: true }) },
    mutationKey,
    mutationFn: send,
    onMutate: async (variables) => {
      if (!guess) return undefined;
      // An older read on its way would replace the guess.
      await Promise.all(touches.map((queryKey) => client.cancelQueries({ queryKey })));
      return guess(variables);
    },
    onError: (_error, _variables, putBack) => {
      putBack?.();
      void readAgain();
    },
    onSuccess: async (data, variables) => {
      await readAgain();
      onDone?.(data, variables);
      const said = done?.(data, variables);
      if (said) showToast({ message: said.message, ...(said.undo ? { onUndo: () => takeBack.mutate(said) } : {}) });
    },
  });
}
