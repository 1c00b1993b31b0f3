import classes from './avatar.module.css';

/** The first letters of the first and the last word of a name. */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/);
  const first = [...(words[0] ?? '')][0] ?? '';
  const last = words.length > 1 ? ([...(words.at(-1) ?? '')][0] ?? '') : '';
  return (first + last).toUpperCase();
}

/** Decoration beside a name that is written out; so a reader hears nothing. */
export function Avatar({ name, size = 24 }: { name: string; size?: number }) {
  return (
    <span className={classes.avatar} style={{ width: size, height: size }} aria-hidden="true">
      {initialsOf(name)}
    </span>
  );
}
