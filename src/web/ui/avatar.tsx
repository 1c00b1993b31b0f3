import classes from './avatar.module.css';

/** The initials of a name's first and last word. */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/);
  const first = [...(words[0] ?? '')][0] ?? '';
  const last = words.length > 1 ? ([...(words.at(-1) ?? '')][0] ?? '') : '';
  return (first + last).toUpperCase();
}

/** Decorative, next to the full name, so hidden from screen readers. */
export function Avatar({ name, size = 24 }: { name: string; size?: number }) {
  return (
    <span className={classes.avatar} style={{ width: size, height: size }} aria-hidden="true">
      {initialsOf(name)}
    </span>
  );
}
