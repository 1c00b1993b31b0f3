import { useEffect, useState } from 'react';
import { formatInstant } from '#core/base/day-words.ts';
import { plural } from '#core/base/formats.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** The age in short form: "now", "20m", "4h", "2d", "3w". */
export function ageOf(instant: string, now: number): string {
  const passed = Math.max(0, now - Date.parse(instant));
  if (passed < minute) return 'now';
  if (passed < hour) return `${Math.floor(passed / minute)}m`;
  if (passed < day) return `${Math.floor(passed / hour)}h`;
  return passed < 14 * day ? `${Math.floor(passed / day)}d` : `${Math.floor(passed / (7 * day))}w`;
}

/** The current time, updated every minute, for everything that shows an age or time left. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), minute);
    return () => clearInterval(timer);
  }, []);
  return now;
}

const quarterHour = 15 * minute;

/** The last full quarter of an hour, for periods: in every zone, days and sprints begin with one. */
export const useQuarterHour = (): number => Math.floor(useNow() / quarterHour) * quarterHour;

type Props = { readonly instant: string; readonly zone: string; readonly ago?: boolean };

/** An age that updates itself, with the exact time in the company's zone as its title. */
export function Age({ instant, zone, ago = false }: Props) {
  const short = ageOf(instant, useNow());
  return (
    <time dateTime={instant} title={formatInstant(instant, zone)}>
      {ago && short !== 'now' ? `${short} ago` : short}
    </time>
  );
}

/** "30 minutes", "1 hour", "1 hour 30 minutes" */
export function lengthWords(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return [hours > 0 && plural(hours, 'hour'), (rest > 0 || hours === 0) && plural(rest, 'minute')]
    .filter(Boolean)
    .join(' ');
}

/** "2 days", "5 hours", "1 hour 30 minutes" or "12 minutes" until an instant, or null once it has passed. */
export function timeUntil(instant: string, now: number): string | null {
  const left = Date.parse(instant) - now;
  if (left <= 0) return null;
  if (left >= 2 * day) return plural(Math.floor(left / day), 'day');
  if (left >= 2 * hour) return plural(Math.floor(left / hour), 'hour');
  return lengthWords(Math.ceil(left / minute));
}

/** "2 days left", or null once it has passed. */
export function timeLeft(instant: string, now: number): string | null {
  const time = timeUntil(instant, now);
  return time && `${time} left`;
}

/**
 * Whole seconds since the start, updated every second. Never negative, even if this machine's clock is
 * behind.
 */
export function useElapsed(start: string): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const ticking = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(ticking);
  }, []);
  return Math.max(0, Math.floor((now - Date.parse(start)) / 1000));
}

const two = (value: number) => String(value).padStart(2, '0');
/** "0:42:10" hours, minutes and seconds. */
export const clock = (seconds: number) =>
  `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
