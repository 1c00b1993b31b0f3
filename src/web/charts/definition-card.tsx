import { ActionIcon } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { lazyPart } from '#web/ui/lazy-part.tsx';
import { fetchedAhead } from '#web/ui/load-ahead.ts';
import { OpenedLate } from '#web/ui/opened-late.tsx';
import classes from './definition-card.module.css';
import type { Definition } from './definition-popover.tsx';

const load = () => import('./definition-popover.tsx');
const DefinitionPopover = lazyPart(load, (module) => module.DefinitionPopover);
const ahead = fetchedAhead(load);

/** The button next to a number that opens its definition. */
export function DefinitionCard(definition: Definition) {
  const [opened, setOpened] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  const closeOnEscape = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !opened) return;
    event.stopPropagation();
    setOpened(false);
    button.current?.focus();
  };
  return (
    <>
      <ActionIcon
        ref={button}
        id={id}
        size={24}
        className={classes.button}
        aria-label={`What ${definition.title} means`}
        aria-haspopup="dialog"
        aria-expanded={opened}
        aria-controls={opened ? `${id}-dropdown` : undefined}
        {...ahead}
        onClick={() => setOpened(!opened)}
        onKeyDown={closeOnEscape}
      >
        <IconInfoCircle size={15} stroke={1.7} />
      </ActionIcon>
      <OpenedLate opened={opened} onFail={() => setOpened(false)}>
        <DefinitionPopover
          id={id}
          at={button}
          definition={definition}
          opened={opened}
          onChange={setOpened}
          onKeyDown={closeOnEscape}
        />
      </OpenedLate>
    </>
  );
}
