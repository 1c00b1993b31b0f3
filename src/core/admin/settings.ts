// Decides which settings admins can change, with their meaning, values and default. Used by the server, the
// settings page and everything that depends on a setting.
import * as z from 'zod/mini';
import { causes, salesProducts } from '../access/products.ts';
import { longestHolidayText } from '../base/holidays.ts';
import { storable } from '../base/inputs.ts';
import { type Refusal, refuse } from '../base/refusals.ts';
import { defaultSettlingHours, defaultTaskLimit } from '../tasks/sprint.ts';
import { isValueOf, readValue, type SettingKind, type ValueOf, wantedBy } from './setting-kinds.ts';

/** A dashboard's source: the product's tiles, or the external analytics tool (D30). */
const displays = { builtin: 'Built-in tiles', metabase: 'Metabase' } as const;
export type DashboardDisplay = keyof typeof displays;
export const dashboardDisplays = Object.keys(displays) as DashboardDisplay[];

type Titled = Readonly<Record<string, { readonly title: string }>>;
type TitlesOf<Things extends Titled> = { readonly [Key in keyof Things]: string };
const titlesOf = <Things extends Titled>(things: Things): TitlesOf<Things> =>
  Object.fromEntries(Object.entries(things).map(([key, { title }]) => [key, title])) as TitlesOf<Things>;

/**
 * Add new settings here; the page, the API and the command follow. `default` has the setting's kind, `unset`
 * is what it's called if it isn't a value.
 */
export const settings = {
  taskLimit: {
    kind: 'number',
    unit: 'tasks',
    least: 1,
    most: 50,
    title: 'Tasks per sprint',
    meaning: 'More tasks are allowed and marked “extra”',
    default: defaultTaskLimit,
  },
  settlingHours: {
    kind: 'number',
    unit: 'hours',
    least: 0,
    most: 168,
    title: 'Hours to settle',
    meaning: 'Hours after a sprint ends until its result is final',
    default: defaultSettlingHours,
  },
  handOverHours: {
    kind: 'number',
    unit: 'hours',
    least: 0,
    most: 200,
    zero: 'Off',
    title: 'Hand over after',
    meaning:
      'After this many working hours without a decision, the approver’s approver, or else an admin, can also decide. Working hours are Monday to Friday, 9:00 to 17:00, without company holidays. 0 turns this off',
    default: 0,
  },
  holidays: {
    kind: 'holidays',
    title: 'Company holidays',
    meaning:
      'Days off for everyone. They don’t count as working hours, and repeating tasks skip a sprint without working days',
    default: [],
  },
  holidayClose: {
    kind: 'switch',
    title: 'Move sprint end past holidays',
    meaning:
      'If Monday is a company holiday, the sprint ends at 10:00 on the next working day, Wednesday at the latest. If Monday to Wednesday are all holidays, it still ends on Monday. Also applies to this sprint and the next',
    default: false,
  },
  attachmentMegabytes: {
    kind: 'number',
    unit: 'MB',
    least: 1,
    most: 1_000,
    title: 'Largest file',
    meaning: 'Maximum size of a file attached to a task',
    default: 25,
  },
  timeTracker: {
    kind: 'switch',
    title: 'Time tracker',
    meaning: 'Turns on the Personal Performance Tracker. While off, it says Coming Soon',
    default: false,
  },
  dashboards: {
    kind: 'choices',
    items: { ...titlesOf(salesProducts), ...titlesOf(causes) },
    options: displays,
    title: 'Dashboards',
    meaning: 'Products and causes that show a Metabase dashboard instead of the built-in tiles',
    default: {},
  },
  defaultApprover: {
    kind: 'person',
    title: 'Default approver',
    meaning: 'Approves for people without an approver',
    unset: 'From the server configuration',
    default: null,
  },
} as const satisfies Record<string, SettingKind & { title: string; meaning: string; default: unknown; unset?: string }>;

export type SettingKey = keyof typeof settings;
export type Settings = { readonly [Key in SettingKey]: ValueOf<(typeof settings)[Key]> };
export type DashboardsSetting = Settings['dashboards'];
export const settingKeys = Object.keys(settings) as SettingKey[];

export const defaultSettings = Object.fromEntries(
  settingKeys.map((key) => [key, settings[key].default]),
) as unknown as Settings;

export function isSetting(key: string): key is SettingKey {
  return Object.hasOwn(settings, key);
}

/** Whether a stored or typed value is valid for the setting. */
export function isSettingValue(key: SettingKey, value: unknown): boolean {
  return isValueOf(settings[key], value);
}

/**
 * Parses a typed setting: a whole number, `on` or `off`, a choice's key, a person's id or `nobody`, or
 * `connect=metabase,green=builtin` on top of the current value.
 */
export function readSetting<Key extends SettingKey>(
  key: Key,
  text: string,
  current: Settings,
): Settings[Key] | Refusal {
  const value = readValue(settings[key], text.trim(), current[key]);
  if (isSettingValue(key, value)) return value as Settings[Key];
  return refuse('BAD_INPUT', `${settings[key].title} must be ${wantedBy(settings[key])}`, { field: key });
}

const word = (longest: number) =>
  z.string().check(z.maxLength(longest, `is longer than ${longest} characters`), storable);

/** Without `value` the setting returns to its default. Version 0: it was never changed. */
export const changeSettingInput = z.strictObject({
  key: word(100),
  value: z.optional(word(longestHolidayText)),
  version: z.optional(z.int().check(z.nonnegative('must not be negative'))),
});
