import { type ReactNode, Suspense } from 'react';
import { ErrorBoundary } from 'react-error-boundary';
import { showError } from './toasts.tsx';

type Props = {
  /** Stands there while the part is on its way, and when it cannot be fetched. */
  readonly meanwhile: ReactNode;
  /** Another one tries again. */
  readonly attempt: unknown;
  readonly onFail?: () => void;
  readonly children: ReactNode;
};

/** A part of the frame that is fetched when it is wanted. Its failure never takes the page with it. */
export function LazyPart({ meanwhile, attempt, onFail, children }: Props) {
  const fail = (error: unknown) => {
    console.error('A part of the frame could not be loaded', error);
    showError('This could not be loaded. Reload the page and try again');
    onFail?.();
  };
  return (
    <ErrorBoundary fallback={meanwhile} resetKeys={[attempt]} onError={fail}>
      <Suspense fallback={meanwhile}>{children}</Suspense>
    </ErrorBoundary>
  );
}
