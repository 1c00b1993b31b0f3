import { CloseButton } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react';
import { useLossQuestion } from './dialog.tsx';
import { DialogHead } from './dialog-head.tsx';
import classes from './peek.module.css';
import { isTyping, useShortcuts } from './shortcuts.ts';
import { SidePanel } from './side-panel.tsx';
import { peekFrom } from './timing.ts';

type Props = {
  /** The key of the open item, as in the URL; null while closed. */
  readonly openKey: string | null;
  /** The name of the panel and of its shortcuts. */
  readonly title: string;
  /** Replaces the title in the head. */
  readonly head?: ReactNode;
  /** Buttons before the close button. */
  readonly tools?: ReactNode;
  readonly onClose: () => void;
  /** Focuses the item in the list. */
  readonly returnFocus: (key: string) => void;
  readonly children: ReactNode;
};

/** Whether the window is wide enough for a panel beside its page. */
export const usePeeks = (): boolean => useMediaQuery(peekFrom, undefined, { getInitialValueInEffect: false }) ?? false;

/** An item opened beside its list, which stays usable. In a narrow window it is a side panel. */
export function Peek(props: Props) {
  const { openKey, title, onClose, children } = props;
  if (usePeeks()) return openKey === null ? null : <OpenPeek {...props} openKey={openKey} />;
  return (
    <SidePanel inAddress opened={openKey !== null} title={title} onClose={onClose}>
      {children}
    </SidePanel>
  );
}

function OpenPeek({ openKey, title, head, tools, onClose, returnFocus, children }: Props & { openKey: string }) {
  const titleId = useId();
  const { askThen, wrap } = useLossQuestion(true, onClose);
  const panel = usePeekFocus(openKey, returnFocus);
  const close = () =>
    askThen(() => {
      // From anywhere on the page. The panel hands it back.
      panel.current?.focus({ preventScroll: true });
      onClose();
    });
  useShortcuts([{ key: 'Escape', label: 'Close', scope: title, run: close }]);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const { target } = event;
    const isOwn = event.currentTarget.contains(target as Node) && isTyping(target);
    if (event.key !== 'Escape' || event.defaultPrevented || !isOwn) return;
    // A list below the field closes first.
    if ((target as HTMLElement).dataset.mantineStopPropagation === 'true') return;
    event.preventDefault();
    close();
  };
  return (
    <section
      ref={panel}
      className={classes.peek}
      role="dialog"
      aria-labelledby={titleId}
      tabIndex={-1}
      data-peek
      onKeyDown={onKeyDown}
    >
      <DialogHead
        title={
          <>
            {head}
            <h2 id={titleId} className={head ? 'visually-hidden' : ''}>
              {title}
            </h2>
          </>
        }
        close={
          <div className={classes.tools}>
            {tools}
            <CloseButton onClick={close} />
          </div>
        }
      />
      <div className={classes.body}>{wrap(children)}</div>
    </section>
  );
}

/** The panel takes the focus from the list, and hands it back to the item that was open last. */
function usePeekFocus(openKey: string, returnFocus: Props['returnFocus']) {
  const panel = useRef<HTMLElement>(null);
  const latest = useRef({ openKey, returnFocus });
  latest.current = { openKey, returnFocus };
  // biome-ignore lint/correctness/useExhaustiveDependencies: for each item that opens.
  useEffect(() => {
    const { activeElement } = document;
    if (panel.current?.contains(activeElement) || isTyping(activeElement)) return;
    panel.current?.focus({ preventScroll: true });
  }, [openKey]);
  useEffect(() => {
    let last: Node | null = null;
    const remember = ({ target }: FocusEvent) => {
      last = panel.current?.contains(target as Node) ? (target as Node) : null;
    };
    // A pressed button can go away, and the focus with it.
    const watch = new MutationObserver(() => {
      if (last?.isConnected === false && document.activeElement === document.body)
        panel.current?.focus({ preventScroll: true });
    });
    document.addEventListener('focusin', remember);
    if (panel.current) watch.observe(panel.current, { subtree: true, childList: true });
    return () => {
      document.removeEventListener('focusin', remember);
      watch.disconnect();
    };
  }, []);
  useEffect(
    () => () => {
      if (document.activeElement === document.body) latest.current.returnFocus(latest.current.openKey);
    },
    [],
  );
  return panel;
}
