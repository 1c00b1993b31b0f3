import { Button, Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './dialog.module.css';
import { useDialogFocus, useOutsideCloses } from './dialog-focus.ts';
import { DialogHead } from './dialog-head.tsx';
import { useStacked } from './dialog-stack.ts';
import { useScrollLock } from './scroll-lock.ts';

type DialogProps = {
  readonly opened: boolean;
  readonly title: string;
  readonly onClose: () => void;
  readonly width?: number;
  /** False for questions that have to be answered. */
  readonly closable?: boolean;
  /** Over any other dialog that is open. */
  readonly onTop?: boolean;
  readonly children: ReactNode;
};

/** The kit draws dialogs at 200 and menus at 300; toasts stand at 450. */
const onTopIndex = 400;

/** A modal dialog: focus stays inside and returns to where it was, Esc closes. */
export function Dialog({ opened, title, onClose, width = 440, closable = true, onTop = false, children }: DialogProps) {
  useScrollLock(opened);
  const { close, isUppermost } = useStacked(opened, onClose);
  const outsideCloses = useOutsideCloses(opened);
  const content = useDialogFocus(opened, isUppermost);
  return (
    <Modal.Root
      opened={opened}
      onClose={close}
      size={width}
      centered
      closeOnClickOutside={closable && outsideCloses}
      closeOnEscape={closable}
      {...(onTop ? { zIndex: onTopIndex } : {})}
    >
      <Modal.Overlay />
      <Modal.Content ref={content}>
        <DialogHead title={<Modal.Title>{title}</Modal.Title>} close={closable && <Modal.CloseButton />} />
        <Modal.Body>{children}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

/** The row of buttons at the end of a dialog, the primary one last. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className={classes.actions}>{children}</div>;
}

type ConfirmProps = {
  readonly opened: boolean;
  readonly title: string;
  /** What will happen, in one sentence. */
  readonly children: ReactNode;
  /** The verb: "Withdraw the task", never "OK". */
  readonly confirm: string;
  readonly danger?: boolean;
  readonly busy?: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
};

export function ConfirmDialog(props: ConfirmProps) {
  const { opened, title, children, confirm, danger = false, busy = false, onConfirm, onClose } = props;
  return (
    <Dialog opened={opened} title={title} onClose={onClose}>
      <div className={classes.sentence}>{children}</div>
      <DialogActions>
        <Button size="sm" variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button size="sm" color={danger ? 'danger' : 'accent'} loading={busy} onClick={onConfirm} data-autofocus>
          {confirm}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
