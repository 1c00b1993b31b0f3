// Describes a device by its browser's user agent. Used by the account page, user management and the mails
// about new sign-ins.

const browsers: readonly (readonly [string, RegExp])[] = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Headless)?(?:Chrome|CriOS|Chromium)\//],
  ['Safari', /\bSafari\//],
  ['curl', /^curl\//],
];

const systems: readonly (readonly [string, RegExp])[] = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['macOS', /\bMac OS X\b|\bMacintosh\b/],
  ['Linux', /\bLinux\b|\bX11\b/],
];

const found = (list: readonly (readonly [string, RegExp])[], agent: string): string | undefined =>
  list.find(([, pattern]) => pattern.test(agent))?.[0];

/** "Firefox on macOS". Never repeats the text itself, because anyone can write anything into it. */
export function deviceWords(agent: string | null): string {
  const browser = found(browsers, agent ?? '');
  const system = found(systems, agent ?? '');
  if (browser === undefined && system === undefined) return 'Unknown device';
  if (system === undefined) return browser as string;
  return `${browser ?? 'A browser'} on ${system}`;
}

/** Whether the device is handheld, for its icon. */
export function isHandheld(agent: string | null): boolean {
  return /\b(?:iPhone|Android|iPad)\b/.test(agent ?? '');
}
