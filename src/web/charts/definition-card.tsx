import { ActionIcon, Popover } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { type KeyboardEvent, type Ref, useId, useImperativeHandle, useRef, useState } from 'react';
import classes from './definition-card.module.css';

type Props = {
  readonly title: string;
  readonly meaning?: string;
  /** How it is reckoned. */
  readonly formula: string;
};

/** The button beside a number that opens its meaning and formula. */
export function DefinitionCard({ title, meaning, formula }: Props) {
  // Null until it is opened for the first time: every tile has a card, and their making would hold up the first drawing of the page.
  const [opened, setOpened] = useState<boolean | null>(null);
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
        aria-label={`What ${title} means`}
        aria-haspopup="dialog"
        aria-expanded={opened === true}
        aria-controls={opened ? `${id}-dropdown` : undefined}
        onClick={() => setOpened(!opened)}
        onKeyDown={closeOnEscape}
      >
        <IconInfoCircle size={15} stroke={1.7} />
      </ActionIcon>
      {opened !== null && (
        <Popover id={id} opened={opened} onChange={setOpened} width={300} position="bottom-start" closeOnEscape={false}>
          <Popover.Target>
            <Placed at={button} />
          </Popover.Target>
          <Popover.Dropdown onKeyDown={closeOnEscape}>
            <div className={classes.card}>
              <p className={classes.title}>{title}</p>
              {meaning && <p>{meaning}</p>}
              <p className={classes.formula}>{formula}</p>
            </div>
          </Popover.Dropdown>
        </Popover>
      )}
    </>
  );
}

type PlacedProps = { readonly at: { readonly current: HTMLElement | null }; readonly ref?: Ref<HTMLElement> };

/** Stands for an element that is there already, where the kit wants to draw the one that it places its card at. */
function Placed({ at, ref }: PlacedProps) {
  useImperativeHandle(ref, () => at.current!, [at]);
  return null;
}
