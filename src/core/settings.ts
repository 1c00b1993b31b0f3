// Decides which settings an administrator may change, with their meaning and default.
// Asked by the server's settings table and everything that a setting steers.
import { defaultSettlingHours, defaultTaskLimit } from './sprint.ts';

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
} as const;

export type SettingKey = keyof typeof settings;
type Widened<T> = T extends number ? number : T extends boolean ? boolean : string;
export type Settings = { readonly [Key in SettingKey]: Widened<(typeof settings)[Key]['default']> };

export const defaultSettings = Object.fromEntries(
  Object.entries(settings).map(([key, setting]) => [key, setting.default]),
) as Settings;
