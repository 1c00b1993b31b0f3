// Decides which settings an administrator may change, with their meaning, what each takes and its default.
// Asked by the server's settings table, the settings page and everything that a setting steers.
import * as z from 'zod/mini';
import { causes, salesProducts } from '../access/products.ts';
import { storable } from '../base/inputs.ts';
import { type Refusal, refuse } from '../base/refusals.ts';
import { defaultSettlingHours, defaultTaskLimit } from '../tasks/sprint.ts';
import { isValueOf, readValue, type SettingKind, type ValueOf, wantedBy } from './setting-kinds.ts';

/** Where a dashboard comes from: tiles of the product itself, or the external analytics tool (D30). */
const displays = { builtin: 'Built-in tiles', metabase: 'Metabase' } as const;
export type DashboardDisplay = keyof typeof displays;
export const dashboardDisplays = Object.keys(displays) as DashboardDisplay[];

type Titled = Readonly<Record<string, { readonly title: string }>>;
type TitlesOf<Things extends Titled> = { readonly [Key in keyof Things]: string };
const titlesOf = <Things extends Titled>(things: Things): TitlesOf<Things> =>
  Object.fromEntries(Object.entries(things).map(([key, { title }]) => [key, title])) as TitlesOf<Things>;

/** A new setting is a row here, and nothing else: the page, the API and the command follow. `default` is of its kind. */
export const settings = {
  taskLimit: {
    kind: 'number',
    unit: 'tasks',
    least: 1,
    most: 50,
    title: 'Tasks per sprint',
    meaning: 'More tasks are allowed and marked "extra"',
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
  attachmentMegabytes: {
    kind: 'number',
    unit: 'MB',
    least: 1,
    most: 1_000,
    title: 'Largest file',
    meaning: 'Larger files are refused',
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
    meaning: 'Approves for people without an approver. If empty, DEFAULT_APPROVER_ID applies',
    default: null,
  },
} as const satisfies Record<string, SettingKind & { title: string; meaning: string; default: unknown }>;

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

/** Whether what was stored or typed is a value of the setting. */
export function isSettingValue(key: SettingKey, value: unknown): boolean {
  return isValueOf(settings[key], value);
}

/**
 * A setting as an administrator types it: a whole number, `on` or `off`, the key of a choice, the id of a person or
 * `nobody`, or `connect=metabase,green=builtin` on top of what is set now.
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

/** Without `value` the setting goes back to its default. Version 0: it was never changed. */
export const changeSettingInput = z.strictObject({
  key: word(100),
  value: z.optional(word(1_000)),
  version: z.optional(z.int().check(z.nonnegative('must not be negative'))),
});
