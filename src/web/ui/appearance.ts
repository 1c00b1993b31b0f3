// This browser's appearance: light, dark or like the system; normal or compact rows. public/theme.js reads
// the same two keys before the first paint.
import { useSyncExternalStore } from 'react';

export type ThemeChoice = 'light' | 'dark' | 'system';
export type Density = 'normal' | 'compact';

const themeKey = 'theme';
const densityKey = 'density';
const systemIsDark = '(prefers-color-scheme: dark)';
const listeners = new Set<() => void>();

export function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

export function write(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Storage is disabled: the choice applies to this page only.
  }
}

function themeChoice(): ThemeChoice {
  const stored = read(themeKey);
  return stored === 'light' || stored === 'dark' ? stored : 'system';
}

export function isDark(): boolean {
  return document.documentElement.getAttribute('data-mantine-color-scheme') === 'dark';
}

function draw(choice: ThemeChoice): void {
  const dark = choice === 'dark' || (choice === 'system' && matchMedia(systemIsDark).matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
  for (const listener of listeners) listener();
}

export function chooseTheme(choice: ThemeChoice): void {
  write(themeKey, choice);
  draw(choice);
}

export function chooseDensity(density: Density): void {
  write(densityKey, density);
  document.documentElement.setAttribute('data-density', density);
  for (const listener of listeners) listener();
}

/** Follows the system and other tabs. */
export function followAppearance(): void {
  matchMedia(systemIsDark).addEventListener('change', () => draw(themeChoice()));
  window.addEventListener('storage', ({ key }) => key === themeKey && draw(themeChoice()));
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useThemeChoice = (): ThemeChoice => useSyncExternalStore(subscribe, themeChoice);
export const useIsDark = (): boolean => useSyncExternalStore(subscribe, isDark);
export const useDensity = (): Density =>
  useSyncExternalStore(subscribe, () => (read(densityKey) === 'compact' ? 'compact' : 'normal'));
