import { type KeyboardEvent, useDeferredValue, useEffect, useId, useRef, useState } from 'react';
import { Dialog } from '#web/ui/dialog.tsx';
import classes from './palette.module.css';
import { type Command, useCommands } from './palette-commands.ts';

const shownAtMost = 40;
const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 };

const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** Must contain every word; titles that start with the text come first. */
export function matching(commands: readonly Command[], text: string): Command[] {
  const wanted = plain(text.trim());
  if (wanted === '') return commands.filter(({ group }) => group === 'Pages' || group === 'Actions');
  const words = wanted.split(/\s+/);
  const found = commands.filter(({ title, note = '', keywords = '' }) =>
    words.every((word) => plain(`${title} ${note} ${keywords}`).includes(word)),
  );
  const rank = ({ title }: Command) => (plain(title).startsWith(wanted) ? 0 : 1);
  // Groups keep their order; within one, the better match comes first.
  const groups = [...new Set(commands.map(({ group }) => group))];
  return found
    .toSorted((a, b) => groups.indexOf(a.group) - groups.indexOf(b.group) || rank(a) - rank(b))
    .slice(0, shownAtMost);
}

export function Palette({ onClose }: { onClose: () => void }) {
  return (
    <Dialog opened title="Search or jump to" onClose={onClose} width={560}>
      <PaletteList onClose={onClose} />
    </Dialog>
  );
}

/** The selected result, moved by a combobox's keys. */
function useChosen(commands: readonly Command[], run: (command: Command | undefined) => void) {
  const [chosen, setChosen] = useState(0);
  const active = Math.min(chosen, commands.length - 1);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = steps[event.key];
    if (step !== undefined && commands.length > 0) {
      event.preventDefault();
      const next = active + step;
      const wrapped = Math.abs(step) === 1 ? (next + commands.length) % commands.length : next;
      setChosen(Math.max(0, Math.min(commands.length - 1, wrapped)));
    } else if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      event.preventDefault();
      run(commands[active]);
    }
  };
  return { active, onKeyDown, chooseFirst: () => setChosen(0) };
}

function PaletteList({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('');
  const commands = matching(useCommands(), useDeferredValue(text));
  const run = (command: Command | undefined) => {
    if (!command) return;
    onClose();
    command.run();
  };
  const { active, onKeyDown, chooseFirst } = useChosen(commands, run);
  const listId = useId();
  const optionId = (index: number) => `${listId}-${index}`;
  return (
    <>
      <input
        className={classes.input}
        role="combobox"
        aria-label="Search pages, tasks, people and actions"
        aria-expanded="true"
        aria-controls={listId}
        aria-activedescendant={active >= 0 ? optionId(active) : undefined}
        aria-autocomplete="list"
        autoComplete="off"
        spellCheck={false}
        placeholder="Pages, tasks, people, actions"
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          chooseFirst();
        }}
        onKeyDown={onKeyDown}
        data-autofocus
      />
      <div className={classes.list} role="listbox" id={listId} aria-label="Results" tabIndex={-1}>
        {commands.map((command, index) => (
          <Option
            key={command.id}
            id={optionId(index)}
            command={command}
            active={index === active}
            heading={command.group !== commands[index - 1]?.group}
            onChoose={() => run(command)}
          />
        ))}
      </div>
      <p className={classes.none} role="status">
        {commands.length === 0 && 'No results. Try other words.'}
      </p>
    </>
  );
}

type OptionProps = { id: string; command: Command; active: boolean; heading: boolean; onChoose: () => void };

function Option({ id, command, active, heading, onChoose }: OptionProps) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (active) element.current?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  return (
    <>
      {heading && (
        <div className={classes.heading} role="presentation">
          {command.group}
        </div>
      )}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the combobox has the keys. */}
      <div
        ref={element}
        id={id}
        role="option"
        aria-selected={active}
        tabIndex={-1}
        className={classes.option}
        onClick={onChoose}
      >
        <span className={classes.title}>{command.title}</span>
        {command.note && <span className={classes.note}>{command.note}</span>}
      </div>
    </>
  );
}
