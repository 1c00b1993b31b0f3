import { Button, type ButtonProps } from '@mantine/core';
import { type Ref, useId, useImperativeHandle, useRef, useState } from 'react';
import type { MenuGroups } from './button-menu.tsx';
import { lazyPart } from './lazy-part.tsx';
import { fetchedAhead } from './load-ahead.ts';
import { OpenedLate } from './opened-late.tsx';

const load = () => import('./button-menu.tsx');
const ButtonMenu = lazyPart(load, (module) => module.ButtonMenu);
const ahead = fetchedAhead(load);

type Props = Pick<
  ButtonProps,
  'variant' | 'size' | 'className' | 'w' | 'justify' | 'leftSection' | 'rightSection' | 'disabled' | 'children'
> & {
  readonly 'aria-label'?: string;
  readonly 'aria-keyshortcuts'?: string;
  readonly groups: MenuGroups;
  readonly onOpen?: () => void;
  /** False if the selection takes the focus. */
  readonly returnFocus?: boolean;
  readonly ref?: Ref<HTMLButtonElement>;
};

/** A button with a menu. The menu's code is fetched on hover or focus, because most visits open none. */
export function MenuButton({ groups, onOpen, returnFocus = true, ref, ...button }: Props) {
  const [opened, setOpened] = useState(false);
  const own = useRef<HTMLButtonElement>(null);
  useImperativeHandle(ref, () => own.current!, []);
  const id = useId();
  const toggle = () => {
    if (!opened) onOpen?.();
    setOpened(!opened);
  };
  return (
    <>
      <Button
        variant="default"
        {...button}
        ref={own}
        id={id}
        aria-haspopup="menu"
        aria-expanded={opened}
        aria-controls={opened ? `${id}-dropdown` : undefined}
        {...ahead}
        onClick={toggle}
      />
      <OpenedLate opened={opened} onFail={() => setOpened(false)}>
        <ButtonMenu
          id={id}
          at={own}
          groups={groups}
          opened={opened}
          returnFocus={returnFocus}
          onClose={() => setOpened(false)}
        />
      </OpenedLate>
    </>
  );
}
