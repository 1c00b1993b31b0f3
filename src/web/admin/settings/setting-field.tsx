import { Button, Select, Switch, TextInput } from '@mantine/core';
import { type KeyboardEvent, useRef, useState } from 'react';
import { readValue, type SettingKind, writeValue } from '#core/admin/setting-kinds.ts';
import { daySpanWithYear, weekdayOf } from '#core/base/day-words.ts';
import { countWords, plural } from '#core/base/formats.ts';
import {
  type Holiday,
  holidayLimits,
  isHoliday,
  mergeHolidays,
  readHolidays,
  writeHolidays,
} from '#core/base/holidays.ts';
import { oneLine } from '#core/base/one-line.ts';
import { companyToday } from '#web/access/shared/absence-queries.ts';
import { usePersonSelect } from '#web/people/shared/people-to-choose.ts';
import { FileField } from '#web/ui/file-field.tsx';
import { useSendCheck } from '#web/ui/form.tsx';
import { Pill } from '#web/ui/pill.tsx';
import { SearchSelect } from '#web/ui/search-select.tsx';
import classes from './settings.module.css';

type HolidaysFieldProps = {
  /** The list in the form that `readHolidays` parses. */
  readonly text: string;
  readonly saved: string;
  readonly fault: string | undefined;
  readonly onChange: (text: string) => void;
};

/** The parser is loaded for the few who need it. */
const readFile = (file: File) =>
  import('./holiday-file.ts')
    .then(({ readCalendarFile }) => readCalendarFile(file, companyToday()))
    .catch(() => 'Couldn’t read the file. Choose it again.');

const none = { firstDay: '', lastDay: '', name: '' };

/** The company's days off, typed or from a calendar file. Nothing is written before the form is saved. */
function HolidaysField({ text, saved, fault, onChange }: HolidaysFieldProps) {
  const holidays = readHolidays(text);
  const [said, setSaid] = useState<string | null>(null);
  // A file is read while the list may change.
  const latest = useRef(text);
  latest.current = text;
  const add = (found: readonly Holiday[]): number => {
    const known = readHolidays(latest.current);
    const merged = mergeHolidays(known, found);
    onChange(writeHolidays(merged));
    return merged.length - known.length;
  };
  const remove = (one: Holiday) => onChange(writeHolidays(holidays.filter((other) => other !== one)));
  const choose = async (file: File) => {
    setSaid('Reading the file…');
    const read = await readFile(file);
    if (typeof read === 'string') return setSaid(read);
    const added = add(read.holidays);
    const known = read.holidays.length - added;
    setSaid(
      [
        `${added} new`,
        known > 0 && `${known} already listed`,
        ...read.leftOut.map(({ count, why }) => `${plural(count, 'event')} left out: ${why}`),
      ]
        .filter(Boolean)
        .join(' · '),
    );
  };
  return (
    <div className={classes.holidays}>
      <HolidayList holidays={holidays} saved={readHolidays(saved)} onRemove={remove} />
      <NewHoliday onAdd={(one) => add([one])} />
      <FileField label="Calendar file (.ics)" accept=".ics,text/calendar" onFile={(file) => void choose(file)} />
      <p role="status">{said}</p>
      {fault && <p role="alert">{fault}</p>}
      {text !== saved && (
        <Button
          variant="default"
          onClick={() => {
            setSaid(null);
            onChange(saved);
          }}
        >
          Discard changes
        </Button>
      )}
    </div>
  );
}

type ListProps = {
  readonly holidays: readonly Holiday[];
  readonly saved: readonly Holiday[];
  readonly onRemove: (one: Holiday) => void;
};

function HolidayList({ holidays, saved, onRemove }: ListProps) {
  const [withPast, setWithPast] = useState(false);
  const past = holidays.filter(({ lastDay }) => lastDay < companyToday());
  const shown = withPast ? holidays : holidays.filter((one) => !past.includes(one));
  const known = new Set(saved.map((one) => writeHolidays([one])));
  return (
    <>
      {past.length > 0 && (
        <Button variant="default" onClick={() => setWithPast(!withPast)}>
          {withPast ? 'Hide' : 'Show'} {plural(past.length, 'past holiday')}
        </Button>
      )}
      {shown.length > 0 && (
        <ul className={classes.days} aria-label="Company holidays">
          {shown.map((one) => (
            <li key={writeHolidays([one])}>
              <span>
                {one.name} {!known.has(writeHolidays([one])) && <Pill tone="warn">Not saved yet</Pill>}
                <span className={classes.day}>
                  {weekdayOf(one.firstDay)} {daySpanWithYear(one.firstDay, one.lastDay)}
                </span>
              </span>
              <Button variant="default" onClick={() => onRemove(one)}>
                Remove
                <span className="visually-hidden">
                  {' '}
                  {one.name} {one.firstDay}
                </span>
              </Button>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function faultOfDays({ firstDay, lastDay }: Holiday): string {
  const { from, to, days } = holidayLimits;
  if (lastDay < firstDay) return 'The last day is before the first';
  return firstDay < from || lastDay > to ? `From ${from.slice(0, 4)} to ${to.slice(0, 4)}` : `At most ${days} days`;
}

/** Enter adds and doesn't save. Saving adds what is complete, and asks for the rest. */
function NewHoliday({ onAdd }: { readonly onAdd: (one: Holiday) => void }) {
  const [typed, setTyped] = useState(none);
  const holiday = { ...typed, lastDay: typed.lastDay || typed.firstDay, name: oneLine(typed.name) };
  const set = (part: Partial<typeof none>) => setTyped({ ...typed, ...part });
  const add = () => {
    if (!isHoliday(holiday)) return;
    onAdd(holiday);
    setTyped(none);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return;
    event.preventDefault();
    add();
  };
  const [isAsked, setAsked] = useState(false);
  useSendCheck(() => {
    const isBlank = Object.values(typed).every((value) => value.trim() === '');
    const isComplete = isHoliday(holiday);
    if (isComplete) add();
    setAsked(!isBlank && !isComplete);
    return isBlank || isComplete;
  });
  const isWrong = typed.firstDay !== '' && typed.lastDay !== '' && typed.name !== '' && !isHoliday(holiday);
  return (
    <fieldset className={classes.newHoliday} aria-label="New holiday" onKeyDown={onKeyDown}>
      <TextInput
        type="date"
        label="First day"
        value={typed.firstDay}
        onChange={({ currentTarget: { value } }) => set({ firstDay: value })}
      />
      <TextInput
        type="date"
        label="Last day"
        min={typed.firstDay}
        value={typed.lastDay || typed.firstDay}
        onChange={({ currentTarget: { value } }) => set({ lastDay: value })}
        error={isWrong && faultOfDays(holiday)}
      />
      <TextInput
        label="Name"
        error={isAsked && !isHoliday(holiday) && 'Complete this holiday, or clear it'}
        maxLength={holidayLimits.name}
        value={typed.name}
        onChange={({ currentTarget: { value } }) => set({ name: value })}
      />
      <Button variant="default" disabled={!isHoliday(holiday)} onClick={add}>
        Add holiday
      </Button>
    </fieldset>
  );
}

type Props = {
  readonly setting: SettingKind & { readonly title: string };
  /** The value in the form that `readValue` parses. */
  readonly text: string;
  readonly saved: string;
  /** The name of the stored person. */
  readonly person: string | null;
  /** What applies without a person. */
  readonly empty: string;
  readonly fault: string | undefined;
  readonly onChange: (text: string) => void;
};

/** A setting's input by its kind. */
export function SettingField(props: Props) {
  const { setting, text, fault, onChange } = props;
  switch (setting.kind) {
    case 'number':
      return (
        <TextInput
          aria-label={setting.title}
          inputMode="numeric"
          rightSection={<span className={classes.unit}>{setting.unit}</span>}
          rightSectionWidth={64}
          description={`${setting.least} to ${countWords(setting.most)}`}
          value={text}
          onChange={(event) => onChange(event.currentTarget.value)}
          error={fault}
        />
      );
    case 'switch':
      return (
        <Switch
          label={text === 'on' ? 'On' : 'Off'}
          aria-label={setting.title}
          checked={text === 'on'}
          onChange={(event) => onChange(writeValue(setting, event.currentTarget.checked))}
          error={fault}
        />
      );
    case 'choice':
      return (
        <Select
          aria-label={setting.title}
          data={optionsOf(setting.options)}
          value={text}
          allowDeselect={false}
          onChange={(value) => value && onChange(value)}
          error={fault}
        />
      );
    case 'person':
      return <PersonField {...props} />;
    case 'choices':
      return <Choices {...props} setting={setting} />;
    case 'holidays':
      return <HolidaysField {...props} />;
  }
}

const optionsOf = (titles: Readonly<Record<string, string>>) =>
  Object.entries(titles).map(([value, label]) => ({ value, label }));

function PersonField({ setting, text, person: name, empty, fault, onChange }: Props) {
  const value = readValue(setting, text, null) as string | null;
  const person = usePersonSelect(value, value && name ? { [value]: name } : {});
  return (
    <SearchSelect
      aria-label={setting.title}
      placeholder={empty}
      {...person}
      clearable
      value={value}
      onChange={(id) => onChange(writeValue(setting, id))}
      error={fault}
    />
  );
}

type ChoicesProps = Props & { readonly setting: SettingKind & { readonly kind: 'choices' } };

function Choices({ setting, text, fault, onChange }: ChoicesProps) {
  const chosen = readValue(setting, text, {}) as Readonly<Record<string, string>>;
  return (
    <div className={classes.choices}>
      {Object.entries(setting.items).map(([item, label]) => (
        <Select
          key={item}
          label={label}
          data={optionsOf(setting.options)}
          value={chosen[item] ?? null}
          allowDeselect={false}
          onChange={(option) => option && onChange(writeValue(setting, { ...chosen, [item]: option }))}
        />
      ))}
      {fault && <p role="alert">{fault}</p>}
    </div>
  );
}
