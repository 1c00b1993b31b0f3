import { Button, Modal } from '@mantine/core';
import {
  createContext,
  type ReactNode,
  type Ref,
  useCallback,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useState,
} from 'react';
import { useBackCloses } from './back-closes.ts';
import classes from './dialog.module.css';
import { useDialogFocus, useOutsideCloses } from './dialog-focus.ts';
import { DialogHead } from './dialog-head.tsx';
import { useStacked } from './dialog-stack.ts';
import { useScrollLock } from './scroll-lock.ts';
import { isTyping, uncoverShortcuts } from './shortcuts.ts';
import { useTakesFocus, useTypedAhead } from './typed-ahead.ts';

/** What closing would lose, and the question about it. */
export const losses = {
  typed: {
    title: 'Discard your changes?',
    confirm: 'Discard changes',
    cancel: 'Keep editing',
    children: 'They aren’t saved yet.',
  },
  shownOnce: {
    title: 'Close without copying?',
    confirm: 'Close',
    cancel: 'Keep it open',
    children: 'You won’t see this again.',
  },
} as const;
type Loss = keyof typeof losses;

/** What the content of a dialog or side panel knows about it. */
type AroundForm = {
  /** Each part adds what closing would lose now, or null. */
  readonly losses: Set<() => Loss | null>;
  /** Closes without asking. */
  readonly onClose: () => void;
  readonly onAsk: (loss: Loss) => void;
  /** Stays open until the returned function is called. */
  readonly hold: () => () => void;
  readonly isHeld: boolean;
};
export const AroundForm = createContext<AroundForm | null>(null);

/**
 * The dialog or side panel around it asks before it closes. So does Back, which otherwise closes a panel of
 * the address without asking.
 */
export function useLoss(loss: Loss, isLost: () => boolean): void {
  const around = useContext(AroundForm);
  const all = around?.losses;
  useBackCloses(around !== null && isLost(), () => around?.onAsk(loss));
  useEffect(() => {
    const look = () => (isLost() ? loss : null);
    all?.add(look);
    return () => void all?.delete(look);
  });
}

/** The dialog or side panel around it stays open while it sends: closing would hide the result. */
export function useHold(isSending: boolean): void {
  const around = useContext(AroundForm);
  const hold = around?.hold;
  useBackCloses(around !== null && isSending, () => {});
  useLayoutEffect(() => (isSending ? hold?.() : undefined), [isSending, hold]);
}

/** The browser asks, in its own words, before the page is closed or reloaded. */
export function useAskBeforeLeaving(isAsking: boolean): void {
  useEffect(() => {
    if (!isAsking) return undefined;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isAsking]);
}

/** Whether something in the dialog or side panel around it holds it. */
export const useIsHeld = (): boolean => useContext(AroundForm)?.isHeld ?? false;

const findLoss = (parts: AroundForm['losses']): Loss | undefined =>
  [...parts].map((look) => look()).find((found) => found !== null) ?? undefined;

/** Closes the dialog around it, and asks first if that loses something: for a "Done". */
export function useAskingClose(): () => void {
  const around = useContext(AroundForm);
  return () => {
    const loss = around && findLoss(around.losses);
    if (loss) around.onAsk(loss);
    else around?.onClose();
  };
}

type QuestionOptions = { readonly onTop?: boolean; readonly closable?: boolean };

/** Asks before input is discarded, and `wrap` adds the question to the content. */
export function useLossQuestion(opened: boolean, onClose: () => void, options: QuestionOptions = {}) {
  const { onTop = false, closable = true } = options;
  const [parts] = useState(() => new Set<() => Loss | null>());
  const [asking, setAsking] = useState<{ readonly loss: Loss; readonly go: () => void } | null>(null);
  const [holds, setHolds] = useState(0);
  const isHeld = holds > 0;
  const hold = useCallback(() => {
    setHolds((before) => before + 1);
    return () => setHolds((before) => before - 1);
  }, []);
  const around = useMemo(
    () => ({
      losses: parts,
      onClose,
      onAsk: (loss: Loss) => closable && !isHeld && setAsking({ loss, go: onClose }),
      hold,
      isHeld,
    }),
    [parts, onClose, closable, isHeld, hold],
  );
  // An answer that arrives under the question closes both.
  useEffect(() => {
    if (!opened) setAsking(null);
  }, [opened]);
  const keep = () => setAsking(null);
  return {
    /** Something in it is being sent. */
    isHeld,
    /** Goes on once nothing would be lost, or the person agreed to the loss. */
    askThen: (go: () => void) => {
      if (isHeld) return;
      const loss = findLoss(parts);
      if (loss) setAsking({ loss, go });
      else go();
    },
    wrap: (children: ReactNode) => (
      <AroundForm.Provider value={around}>
        {children}
        {asking && opened && (
          <ConfirmDialog
            opened
            onTop={onTop}
            {...losses[asking.loss]}
            danger
            onClose={keep}
            onConfirm={() => {
              keep();
              asking.go();
            }}
          />
        )}
      </AroundForm.Provider>
    ),
  };
}

type ModalOptions = QuestionOptions & {
  /** Not for what the address opens: the next address closes it. */
  readonly closesOnLeaving?: boolean;
};

/**
 * Shared by dialogs and side panels. Esc, the close button and outside clicks ask before they discard input.
 */
export function useModal(opened: boolean, onClose: () => void, options: ModalOptions = {}) {
  const { closesOnLeaving = false } = options;
  useScrollLock(opened);
  const { askThen, isHeld, wrap } = useLossQuestion(opened, onClose, options);
  const uncoverThen = (go: () => void) =>
    askThen(() => {
      uncoverShortcuts(content.current);
      go();
    });
  const { close, isUppermost } = useStacked(
    opened,
    () => uncoverThen(onClose),
    (then) =>
      uncoverThen(() => {
        if (closesOnLeaving) onClose();
        then();
      }),
  );
  const content = useDialogFocus(opened, isUppermost);
  // A form closes it too. And it may open again while it is still seen closing.
  useLayoutEffect(() => {
    if (opened) delete content.current?.dataset.closing;
    else {
      uncoverShortcuts(content.current);
      // A field that is still drawn would take the keys that are for the page.
      const { activeElement } = document;
      if (isTyping(activeElement) && content.current?.contains(activeElement)) activeElement.blur();
    }
  }, [opened, content]);
  const outsideCloses = useOutsideCloses(opened);
  return { close, isHeld, outsideCloses, content, wrap };
}

type DialogProps = {
  readonly opened: boolean;
  readonly title: string;
  readonly onClose: () => void;
  readonly width?: number;
  /** False for questions that need an answer. Back then does nothing. */
  readonly closable?: boolean;
  /** Above any other open dialog. */
  readonly onTop?: boolean;
  /** Opens on top by itself, not after a press. */
  readonly uninvited?: boolean;
  /** The page shows nothing else, so Back leaves the page instead of closing the dialog. */
  readonly isPage?: boolean;
  readonly children: ReactNode;
};

/** The kit's dialogs are at 200 and menus at 300; toasts are at 450. */
const onTopIndex = 400;

/** A modal dialog: keeps the focus inside and returns it, and Esc closes. */
export function Dialog(props: DialogProps) {
  const { opened, title, onClose, width = 440, closable = true, isPage = false, children } = props;
  const { uninvited = false, onTop = uninvited } = props;
  const options = { onTop, closable, closesOnLeaving: !isPage };
  const { close, isHeld, outsideCloses, content, wrap } = useModal(opened, onClose, options);
  const takesFocus = useTakesFocus(content, { onTop, uninvited });
  useTypedAhead(opened && takesFocus, content, onTop);
  useBackCloses(opened && !isPage, () => closable && close());
  return (
    <Modal.Root
      opened={opened}
      onClose={close}
      size={width}
      centered
      closeOnClickOutside={closable && outsideCloses}
      closeOnEscape={closable}
      trapFocus={takesFocus}
      {...(onTop ? { zIndex: onTopIndex } : {})}
    >
      <Modal.Overlay />
      <Modal.Content ref={content} data-needs-answer={onTop || !closable || undefined}>
        <DialogHead
          title={<Modal.Title>{title}</Modal.Title>}
          close={closable && <Modal.CloseButton disabled={isHeld} />}
        />
        <Modal.Body>{wrap(children)}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

type ActionsProps = {
  /** The primary button, a verb with its object, never "OK". */
  readonly primary?: string;
  /** By default the primary button submits the surrounding form. */
  readonly onPrimary?: () => void;
  readonly primaryRef?: Ref<HTMLButtonElement>;
  readonly danger?: boolean;
  /** It is being sent, so the dialog stays open until the answer. */
  readonly busy?: boolean;
  readonly disabled?: boolean;
  /** The primary button is focused when the dialog opens; a dangerous one leaves that to Cancel. */
  readonly focused?: boolean;
  /** Null if there is nothing to cancel. */
  readonly cancel?: string | null;
  /** Replaces closing the dialog. */
  readonly onCancel?: (() => void) | undefined;
  /** More buttons, before the others. */
  readonly children?: ReactNode;
};

/** The buttons at the end of a dialog, the primary one last. */
export function DialogActions(props: ActionsProps) {
  useHold(props.busy ?? false);
  return <FormActions {...props} />;
}

/** The same buttons in a form, which keeps the dialog open itself while it sends. */
export function FormActions(props: ActionsProps) {
  const { primary, onPrimary, danger = false, busy = false, disabled = false, focused, cancel = 'Cancel' } = props;
  const around = useContext(AroundForm);
  const isSafer = danger && cancel !== null;
  return (
    <div className={classes.actions}>
      {props.children}
      {cancel !== null && (
        <Button
          size="sm"
          variant="default"
          disabled={busy}
          onClick={props.onCancel ?? around?.onClose}
          data-autofocus={(focused && isSafer) || undefined}
        >
          {cancel}
        </Button>
      )}
      {primary !== undefined && (
        <Button
          ref={props.primaryRef}
          size="sm"
          color={danger ? 'danger' : 'accent'}
          type={onPrimary ? 'button' : 'submit'}
          loading={busy}
          disabled={disabled}
          onClick={onPrimary}
          data-autofocus={(focused && !isSafer) || undefined}
        >
          {primary}
        </Button>
      )}
    </div>
  );
}

type ConfirmProps = Pick<ActionsProps, 'danger' | 'busy' | 'disabled'> & {
  readonly opened: boolean;
  readonly title: string;
  /** What will happen, in one sentence. */
  readonly children: ReactNode;
  /** The verb: "Withdraw task". */
  readonly confirm: string;
  readonly cancel?: string;
  readonly onTop?: boolean;
  readonly isPage?: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
};

export function ConfirmDialog({ children, confirm, onConfirm, cancel, ...props }: ConfirmProps) {
  const { danger, busy, disabled, ...dialog } = props;
  const buttons = { danger, busy, disabled, cancel, primary: confirm, onPrimary: onConfirm };
  return (
    <Dialog {...dialog}>
      <div className={classes.sentence}>{children}</div>
      <DialogActions {...buttons} focused />
    </Dialog>
  );
}
