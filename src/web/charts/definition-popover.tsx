import { Popover } from '@mantine/core';
import type { KeyboardEvent } from 'react';
import { useBackCloses } from '#web/ui/back-closes.ts';
import { useOpenedOnceDrawn } from '#web/ui/opened-late.tsx';
import { Placed } from '#web/ui/placed.tsx';
import classes from './definition-card.module.css';

export type Definition = {
  readonly title: string;
  /** Paragraphs, if more than one. */
  readonly meaning?: string | readonly string[];
  /** How it is calculated. */
  readonly formula: string;
};

type Props = {
  /** The button's id. */
  readonly id: string;
  readonly at: { readonly current: HTMLButtonElement | null };
  readonly definition: Definition;
  readonly opened: boolean;
  readonly onChange: (opened: boolean) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
};

/** The content of a `DefinitionCard`. */
export function DefinitionPopover({ id, at, definition, opened, onChange, onKeyDown }: Props) {
  const { title, meaning, formula } = definition;
  const shown = useOpenedOnceDrawn(opened);
  useBackCloses(opened, () => onChange(false));
  return (
    <Popover id={id} opened={shown} onChange={onChange} width={300} position="bottom-start" closeOnEscape={false}>
      <Popover.Target>
        <Placed at={at} />
      </Popover.Target>
      <Popover.Dropdown onKeyDown={onKeyDown}>
        <div className={classes.card}>
          <p className={classes.title}>{title}</p>
          {[meaning ?? []].flat().map((paragraph) => (
            <p key={paragraph}>{paragraph}</p>
          ))}
          <p className={classes.formula}>{formula}</p>
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}
