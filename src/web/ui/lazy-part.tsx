import {
  type ComponentType,
  type FunctionComponent,
  type LazyExoticComponent,
  lazy,
  type ReactNode,
  Suspense,
  useLayoutEffect,
} from 'react';
import { ErrorBoundary } from 'react-error-boundary';
import { PanelError } from './panel-error.tsx';
import { coverShortcuts } from './shortcuts.ts';
import { showError } from './toasts.tsx';

/** Recreates the parts that couldn't be fetched. */
const failed = new Set<() => void>();

/**
 * React's `lazy` remembers a failed fetch forever. This one fetches again when a boundary below shows it
 * again.
 */
export function lazyPart<Module, Props extends object>(
  load: () => Promise<Module>,
  pick: (module: Module) => ComponentType<Props>,
): FunctionComponent<Props> {
  const make = (): LazyExoticComponent<ComponentType<Props>> =>
    lazy(async () => {
      try {
        return { default: pick(await load()) };
      } catch (error) {
        failed.add(() => {
          Part = make();
        });
        throw error;
      }
    });
  let Part = make();
  return (props) => <Part {...props} />;
}

function forgetFailures(error: unknown): void {
  console.error('A part of the page couldn’t load', error);
  for (const renew of failed) renew();
  failed.clear();
}

type Props = {
  /** Shown while the part loads, and when it can't be fetched. */
  readonly fallback: ReactNode;
  /** A new value retries. */
  readonly attempt: unknown;
  readonly onFail?: () => void;
  readonly children: ReactNode;
};

/** A dialog or menu fetched on opening. Its failure doesn't affect the page. */
export function LazyPart({ fallback, attempt, onFail, children }: Props) {
  const fail = (error: unknown) => {
    forgetFailures(error);
    showError('This couldn’t be loaded. Check your connection and try again, or reload the page');
    onFail?.();
  };
  return (
    <ErrorBoundary fallback={fallback} resetKeys={[attempt]} onError={fail}>
      <Suspense fallback={<Opening>{fallback}</Opening>}>{children}</Suspense>
    </ErrorBoundary>
  );
}

/** What was just opened gets the next keys, so the page behind it must not. */
function Opening({ children }: { readonly children: ReactNode }) {
  useLayoutEffect(coverShortcuts, []);
  return children;
}

/** A part of a page, such as a tab. A failed fetch is shown in its place, and the rest of the page works. */
export function LazyPanel({ fallback, attempt, children }: Omit<Props, 'onFail'>) {
  return (
    <ErrorBoundary
      resetKeys={[attempt]}
      onError={forgetFailures}
      fallbackRender={({ resetErrorBoundary }) => (
        <PanelError
          sentence="Couldn’t load this part of the page. Check your connection, then try again."
          onRetry={resetErrorBoundary}
        />
      )}
    >
      <Suspense fallback={fallback}>{children}</Suspense>
    </ErrorBoundary>
  );
}

/** For an enhancement of what `fallback` already shows: a failure is ignored. */
export function LazyExtra({ fallback, children }: Pick<Props, 'fallback' | 'children'>) {
  return (
    <ErrorBoundary fallback={fallback} onError={forgetFailures}>
      <Suspense fallback={fallback}>{children}</Suspense>
    </ErrorBoundary>
  );
}
