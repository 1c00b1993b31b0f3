// The form of signing in, in place of ui/form.tsx: the kit's hook would add 6 KiB to the 90 of the login page.
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { asApiError } from '#web/api/api-error.ts';

type Props = {
  readonly busy: boolean;
  readonly onSend: () => void;
  readonly describedBy?: string;
  readonly children: ReactNode;
};

/** Once after each press, the focus goes to the first field at fault. */
export function PlainForm({ busy, onSend, describedBy, children }: Props) {
  const node = useRef<HTMLFormElement>(null);
  const isAnswerDue = useRef(false);
  useEffect(() => {
    const fault = isAnswerDue.current && node.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    if (!fault) return;
    isAnswerDue.current = false;
    fault.focus();
  });
  return (
    <form
      ref={node}
      noValidate
      aria-describedby={describedBy}
      onSubmit={(event) => {
        event.preventDefault();
        if (busy) return;
        isAnswerDue.current = true;
        onSend();
      }}
    >
      {children}
    </form>
  );
}

/** One call at a time. It stays busy when it succeeds: what is shown next comes in place of the form. */
export function useSending() {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const fail = (message: string) => {
    setProblem(message);
    setBusy(false);
  };
  const run = (send: () => Promise<unknown>) => {
    if (busy) return;
    setBusy(true);
    setProblem(null);
    send().catch((error: unknown) => fail(asApiError(error).message));
  };
  return { busy, problem, setProblem, fail, run };
}
