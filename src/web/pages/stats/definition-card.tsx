import { ActionIcon, Popover } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import classes from './definition-card.module.css';
import { type DefinitionKey, definitions } from './stats-definitions.ts';

/** The button beside a number that opens its meaning and formula. */
export function DefinitionCard({ of }: { of: DefinitionKey }) {
  const { title, formula, meaning } = definitions[of];
  return (
    <Popover width={300} position="bottom-start" trapFocus={false}>
      <Popover.Target>
        <ActionIcon size={24} aria-label={`What ${title} means`}>
          <IconInfoCircle size={15} stroke={1.7} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown>
        <div className={classes.card}>
          <p className={classes.title}>{title}</p>
          <p>{meaning}</p>
          <p className={classes.formula}>{formula}</p>
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}
