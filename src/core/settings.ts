// Decides which settings an administrator may change, with their meaning and default.
// Asked by the server's settings table and everything that a setting steers.
import { causes, type ProductKey, salesProducts } from './products.ts';
import { type Refusal, refuse } from './refusals.ts';
import { defaultSettlingHours, defaultTaskLimit } from './sprint.ts';

/** Where a dashboard comes from: tiles of the product itself, or the external analytics tool (D30). */
export const dashboardDisplays = ['builtin', 'metabase'] as const;
export type DashboardDisplay = (typeof dashboardDisplays)[number];
/** By product or cause; one that is not named shows the tiles. */
export type DashboardsSetting = { readonly [Key in ProductKey]?: DashboardDisplay };

const noDashboards: DashboardsSetting = {};

export const settings = {
  taskLimit: {
    title: 'Tasks per sprint',
    meaning: 'A task beyond this number in one sprint is allowed and marked "extra"',
    default: defaultTaskLimit,
  },
  settlingHours: {
    title: 'Hours to settle',
    meaning: 'How long after its end the result of a sprint stays open before it is recorded',
    default: defaultSettlingHours,
  },
  attachmentMegabytes: { title: 'Largest file in MB', meaning: 'Files above this size are refused', default: 25 },
  timeTracker: {
    title: 'Time tracker',
    meaning: 'Turns the Personal Performance Tracker on; off it is labelled Coming Soon',
    default: false,
  },
  dashboards: {
    title: 'Dashboards',
    meaning: 'Which products and causes show the dashboard of Metabase instead of the built-in tiles',
    default: noDashboards,
  },
} as const;

export type SettingKey = keyof typeof settings;
type Widened<T> = T extends number ? number : T extends boolean ? boolean : T;
export type Settings = { readonly [Key in SettingKey]: Widened<(typeof settings)[Key]['default']> };

export const defaultSettings = Object.fromEntries(
  Object.entries(settings).map(([key, setting]) => [key, setting.default]),
) as Settings;

const resourceKeys: readonly string[] = [...Object.keys(salesProducts), ...Object.keys(causes)];
const isDisplay = (value: unknown): boolean => (dashboardDisplays as readonly unknown[]).includes(value);

export function isSetting(key: string): key is SettingKey {
  return Object.hasOwn(settings, key);
}

/** Whether what was stored or typed is a value of the setting. */
export function isSettingValue(key: SettingKey, value: unknown): boolean {
  if (typeof value === 'number')
    return typeof defaultSettings[key] === 'number' && Number.isInteger(value) && value >= 0;
  if (typeof value !== 'object') return typeof value === typeof defaultSettings[key];
  if (key !== 'dashboards' || value === null || Array.isArray(value)) return false;
  return Object.entries(value).every(([resource, display]) => resourceKeys.includes(resource) && isDisplay(display));
}

/** A setting as an administrator types it: a whole number, `on` or `off`, or `connect=metabase,green=builtin` on top of what is set now. */
export function readSetting<Key extends SettingKey>(
  key: Key,
  text: string,
  current: Settings,
): Settings[Key] | Refusal {
  const value = typedValue(key, text.trim(), current);
  if (value !== undefined && isSettingValue(key, value)) return value as Settings[Key];
  return refuse('BAD_INPUT', `${key} must be ${wanted(key)}`, { field: key });
}

function typedValue(key: SettingKey, text: string, current: Settings): unknown {
  if (key === 'dashboards') {
    const pairs = text.split(',').map((pair) => pair.split('=').map((part) => part.trim()));
    return { ...current.dashboards, ...Object.fromEntries(pairs) };
  }
  if (typeof defaultSettings[key] === 'boolean') return { on: true, off: false }[text];
  return /^\d{1,6}$/.test(text) ? Number(text) : undefined;
}

function wanted(key: SettingKey): string {
  if (key === 'dashboards')
    return `like connect=metabase, of ${resourceKeys.join(', ')} and ${dashboardDisplays.join(' or ')}`;
  return typeof defaultSettings[key] === 'boolean' ? 'on or off' : 'a whole number';
}
