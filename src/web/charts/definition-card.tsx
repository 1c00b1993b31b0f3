import { ActionIcon, Popover } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import classes from './definition-card.module.css';

type Props = {
  readonly title: string;
  readonly meaning?: string;
  /** How it is reckoned. */
  readonly formula: string;
};

/** The button beside a number that opens its meaning and formula. */
export function DefinitionCard({ title, meaning, formula }: Props) {
  return (
    <Popover width={300} position="bottom-start" trapFocus={false}>
      <Popover.Target>
        <ActionIcon size={24} className={classes.button} aria-label={`What ${title} means`}>
          <IconInfoCircle size={15} stroke={1.7} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown>
        <div className={classes.card}>
          <p className={classes.title}>{title}</p>
          {meaning && <p>{meaning}</p>}
          <p className={classes.formula}>{formula}</p>
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}
