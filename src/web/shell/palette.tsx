import { type KeyboardEvent, useDeferredValue, useEffect, useId, useRef, useState } from 'react';
import { Dialog } from '#web/ui/dialog.tsx';
import { leaveDialogs } from '#web/ui/dialog-stack.ts';
import { folded } from '#web/ui/matches.ts';
import classes from './palette.module.css';
import { type Command, useCommands } from './palette-commands.ts';

const shownAtMost = 40;
const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 };

/** Pages and actions, which no search has to find first. */
const isFixed = ({ group }: Command): boolean => group === 'Pages' || group === 'Actions';

const isNamed = (command: Command, text: string): boolean =>
  isFixed(command) && folded(command.title).startsWith(folded(text.trim()));

/** Must contain every word; the better the title matches, the higher. */
export function matching(commands: readonly Command[], text: string): Command[] {
  const wanted = folded(text.trim());
  if (wanted === '') return commands.filter(isFixed);
  const words = wanted.split(/\s+/);
  const found = commands.filter(
    ({ title, note = '', keywords = '', isFound }) =>
      isFound || words.every((word) => folded(`${title} ${note} ${keywords}`).includes(word)),
  );
  const rank = ({ title }: Command) => {
    if (folded(title).startsWith(wanted)) return 0;
    return words.every((word) => folded(title).includes(word)) ? 1 : 2;
  };
  // A group with a page or action of this name comes first. Within a group, the better match does.
  const isFirst = (group: string) => found.some((command) => command.group === group && isNamed(command, wanted));
  const groups = [...new Set(commands.map(({ group }) => group))].toSorted(
    (a, b) => Number(isFirst(b)) - Number(isFirst(a)),
  );
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

type Listed = {
  /** The text whose results are listed, which follows the typed one. */
  readonly text: string;
  readonly typed: string;
  readonly commands: readonly Command[];
  readonly isSearching: boolean;
  /** Whether the search is new enough to wait for, before the actions. */
  readonly mayFindFirst: boolean;
};

/** The selected result: the first one, until a combobox's keys move the selection. */
function useChosen({ text, typed, commands, ...search }: Listed, run: (command: Command) => void) {
  const [chosen, setChosen] = useState({ text, id: '' });
  /** Enter came before the first result of this text was known. */
  const [awaited, setAwaited] = useState<string | null>(null);
  const at = chosen.text === text ? commands.findIndex(({ id }) => id === chosen.id) : -1;
  const active = at === -1 && commands.length > 0 ? 0 : at;
  const choose = (index: number) => setChosen({ text, id: commands[index]?.id ?? '' });
  const listed = text === typed ? commands[active] : undefined;
  // What the search finds comes above actions of other names.
  const isLate = listed?.group === 'Actions' && !isNamed(listed, typed);
  const goal = isLate && at === -1 && search.mayFindFirst ? undefined : listed;
  if (awaited !== null && awaited !== typed) setAwaited(null);
  const isAwaited = awaited === typed && (goal !== undefined || (text === typed && !search.isSearching));
  useEffect(() => {
    if (!isAwaited) return;
    setAwaited(null);
    if (goal) run(goal);
  });
  const onKeyDown = (event: KeyboardEvent) => {
    const step = steps[event.key];
    if (step !== undefined && commands.length > 0) {
      event.preventDefault();
      const next = active + step;
      const wrapped = Math.abs(step) === 1 ? (next + commands.length) % commands.length : next;
      choose(Math.max(0, Math.min(commands.length - 1, wrapped)));
    } else if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      event.preventDefault();
      if (goal) run(goal);
      else setAwaited(typed);
    }
  };
  return { active, onKeyDown };
}

function PaletteList({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('');
  const { commands: all, problem, ...search } = useCommands(text);
  const drawn = useDeferredValue(text);
  const commands = matching(all, drawn);
  const run = (command: Command) => {
    onClose();
    if (command.staysHere) command.run();
    else leaveDialogs(command.run);
  };
  const { active, onKeyDown } = useChosen({ text: drawn, typed: text, commands, ...search }, run);
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
        onChange={(event) => setText(event.currentTarget.value)}
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
        {search.isSearching ? 'Searching…' : (problem ?? (commands.length === 0 && 'No results. Try other words.'))}
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
