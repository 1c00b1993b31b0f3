// The sign-in form, instead of ui/form.tsx: the kit's hook would add 6 KiB to the login page's 90.
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { asApiError } from '#web/api/api-error.ts';

type Props = {
  readonly busy: boolean;
  readonly onSend: () => void;
  readonly describedBy?: string;
  readonly children: ReactNode;
};

/** Focuses the first invalid field once after each press. Typing replaces a wrong password or code. */
export function PlainForm({ busy, onSend, describedBy, children }: Props) {
  const node = useRef<HTMLFormElement>(null);
  const isAnswerDue = useRef(false);
  useEffect(() => {
    const fault = isAnswerDue.current && node.current?.querySelector<HTMLInputElement>('[aria-invalid="true"]');
    if (!fault) return;
    isAnswerDue.current = false;
    fault.focus();
    if (fault.type !== 'email') fault.select();
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

/** One call at a time. It stays busy on success, because the form is then replaced. */
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
