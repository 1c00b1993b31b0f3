import { Drawer } from '@mantine/core';
import type { ReactNode } from 'react';
import { useBackCloses } from './back-closes.ts';
import { useModal } from './dialog.tsx';
import { DialogHead } from './dialog-head.tsx';

type Props = {
  readonly opened: boolean;
  /** The panel's name; hidden if the content has its own heading. */
  readonly title: string;
  readonly titleHidden?: boolean;
  /** Above 480 px for a table that needs it. */
  readonly width?: number;
  /** The address says what is open, so Back closes it. `onClose` replaces it, so Back doesn't open it again. */
  readonly inAddress?: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
};

/** A list item opened next to its list: 480 px wide, full width on a phone. */
export function SidePanel(props: Props) {
  const { opened, title, titleHidden = false, width = 480, inAddress = false, onClose, children } = props;
  const { close, isHeld, outsideCloses, content, wrap } = useModal(opened, onClose, { closesOnLeaving: !inAddress });
  useBackCloses(opened && !inAddress, close);
  return (
    <Drawer.Root
      opened={opened}
      onClose={close}
      position="right"
      size={width}
      radius={0}
      closeOnClickOutside={outsideCloses}
    >
      <Drawer.Overlay />
      <Drawer.Content ref={content} data-side-panel>
        <DialogHead
          title={<Drawer.Title className={titleHidden ? 'visually-hidden' : ''}>{title}</Drawer.Title>}
          close={<Drawer.CloseButton disabled={isHeld} />}
        />
        <Drawer.Body>{wrap(children)}</Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}
