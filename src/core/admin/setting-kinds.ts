// Decides the kinds of settings: their values, and how they are parsed and written. Used by the table of
// settings; the settings page has a field for each kind.
import { plural } from '../base/formats.ts';
import { type Holidays, holidayLimits, isHolidays, readHolidays, writeHolidays } from '../base/holidays.ts';

/** Keys and their titles. */
type Titles = Readonly<Record<string, string>>;

/**
 * `number`: whole, with its range. `choice`: one of the options. `person`: a person's id, or null. `choices`:
 * one of the options for each item, by default the first. `holidays`: a list of days off.
 */
export type SettingKind =
  | {
      readonly kind: 'number';
      readonly unit: string;
      readonly least: number;
      readonly most: number;
      /** What 0 means. */
      readonly zero?: string;
    }
  | { readonly kind: 'switch' }
  | { readonly kind: 'choice'; readonly options: Titles }
  | { readonly kind: 'person' }
  | { readonly kind: 'choices'; readonly items: Titles; readonly options: Titles }
  | { readonly kind: 'holidays' };

/** The type of a setting's value, from its kind. */
export type ValueOf<Setting> = Setting extends { kind: 'choices'; items: infer Items; options: infer Options }
  ? { readonly [Item in keyof Items]?: keyof Options }
  : Setting extends { kind: 'choice'; options: infer Options }
    ? keyof Options
    : Setting extends { kind: 'number' }
      ? number
      : Setting extends { kind: 'switch' }
        ? boolean
        : Setting extends { kind: 'holidays' }
          ? Holidays
          : string | null;

/** Whether a stored or typed value is valid. The server checks that a person exists. */
export function isValueOf(setting: SettingKind, value: unknown): boolean {
  switch (setting.kind) {
    case 'number':
      return Number.isInteger(value) && (value as number) >= setting.least && (value as number) <= setting.most;
    case 'switch':
      return typeof value === 'boolean';
    case 'choice':
      return isKeyOf(setting.options, value);
    case 'person':
      return value === null || (typeof value === 'string' && /^[1-9]\d{0,17}$/.test(value));
    case 'choices':
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
      return Object.entries(value).every(
        ([item, option]) => isKeyOf(setting.items, item) && isKeyOf(setting.options, option),
      );
    case 'holidays':
      return isHolidays(value);
  }
}

const isKeyOf = (titles: Titles, key: unknown): boolean => typeof key === 'string' && Object.hasOwn(titles, key);

const noPerson = 'nobody';

/**
 * Parses the value, on top of the `current` one if the text only names a part. Validity is checked
 * separately.
 */
export function readValue({ kind }: SettingKind, text: string, current: unknown): unknown {
  switch (kind) {
    case 'number':
      return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
    case 'switch':
      return { on: true, off: false }[text];
    case 'choice':
      return text;
    case 'person':
      return text === noPerson ? null : text;
    case 'choices': {
      const pairs = text.split(',').map((pair) => pair.split('=').map((part) => part.trim()));
      return { ...(current as object), ...Object.fromEntries(pairs) };
    }
    case 'holidays':
      return readHolidays(text);
  }
}

/** The text that `readValue` reads the value from. */
export function writeValue(setting: SettingKind, value: unknown): string {
  switch (setting.kind) {
    case 'switch':
      return value === true ? 'on' : 'off';
    case 'person':
      return value === null ? noPerson : String(value);
    case 'choices': {
      const [first] = Object.keys(setting.options);
      const chosen = value as Titles;
      return Object.keys(setting.items)
        .map((item) => `${item}=${chosen[item] ?? first}`)
        .join(',');
    }
    case 'holidays':
      return writeHolidays(value as Holidays);
    default:
      return String(value);
  }
}

/** The allowed values as text. */
export function wantedBy(setting: SettingKind): string {
  switch (setting.kind) {
    case 'number':
      return `a whole number of ${setting.unit} from ${setting.least} to ${setting.most}`;
    case 'switch':
      return 'on or off';
    case 'choice':
      return Object.keys(setting.options).join(' or ');
    case 'person':
      return `the ID of a person, or ${noPerson}`;
    case 'choices':
      return `pairs like ${Object.keys(setting.items)[0]}=${Object.keys(setting.options).at(-1)}. Keys: ${Object.keys(setting.items).join(', ')}. Values: ${Object.keys(setting.options).join(' or ')}`;
    case 'holidays':
      return `up to ${holidayLimits.holidays} lines like “2026-12-25 Christmas Day” or “2026-12-24/2026-12-31 Year-end break”, each of at most ${holidayLimits.days} days and from ${holidayLimits.from} to ${holidayLimits.to}`;
  }
}

/** The value as the page shows it; `personName` is the chosen person's name. */
export function sayValue(setting: SettingKind, value: unknown, personName: string | null): string {
  switch (setting.kind) {
    case 'number':
      return value === 0 && setting.zero ? setting.zero : `${value} ${setting.unit}`;
    case 'switch':
      return value === true ? 'On' : 'Off';
    case 'choice':
      return setting.options[value as string] ?? '';
    case 'person':
      return value === null ? 'Nobody' : (personName ?? `Person ${value}`);
    case 'choices':
      return sayChoices(setting.items, setting.options, value as Titles);
    case 'holidays':
      return (value as Holidays).length === 0 ? 'None' : plural((value as Holidays).length, 'holiday');
  }
}

/** Only lists items that differ from the first option. */
function sayChoices(items: Titles, options: Titles, chosen: Titles): string {
  const [first = ''] = Object.keys(options);
  const others = Object.keys(items).filter((item) => (chosen[item] ?? first) !== first);
  if (others.length === 0) return `${options[first]} for all`;
  return others.map((item) => `${items[item]}: ${options[chosen[item] ?? first]}`).join(', ');
}
