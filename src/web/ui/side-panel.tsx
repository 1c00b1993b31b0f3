import { Drawer } from '@mantine/core';
import type { ReactNode } from 'react';
import { useModal } from './dialog.tsx';
import { DialogHead } from './dialog-head.tsx';

type Props = {
  readonly opened: boolean;
  /** Names the panel; hidden where the content brings its own heading. */
  readonly title: string;
  readonly titleHidden?: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
};

/** One thing of a list, opened at the right beside it: 480 px, the whole width on a phone. */
export function SidePanel({ opened, title, titleHidden = false, onClose, children }: Props) {
  const { close, outsideCloses, content, wrap } = useModal(opened, onClose);
  return (
    <Drawer.Root
      opened={opened}
      onClose={close}
      position="right"
      size={480}
      radius={0}
      closeOnClickOutside={outsideCloses}
    >
      <Drawer.Overlay />
      <Drawer.Content ref={content}>
        <DialogHead
          title={<Drawer.Title className={titleHidden ? 'visually-hidden' : ''}>{title}</Drawer.Title>}
          close={<Drawer.CloseButton />}
        />
        <Drawer.Body>{wrap(children)}</Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}
