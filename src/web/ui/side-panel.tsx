import { Drawer } from '@mantine/core';
import type { ReactNode } from 'react';
import { useScrollLock } from './scroll-lock.ts';

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
  useScrollLock(opened);
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      position="right"
      size={480}
      radius={0}
      title={titleHidden ? <span className="visually-hidden">{title}</span> : title}
    >
      {children}
    </Drawer>
  );
}
