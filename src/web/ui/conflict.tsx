// Someone saved the same thing first: what differs is marked, and the person chooses (D25).
import { Button } from '@mantine/core';
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import classes from './conflict.module.css';
import { textDifference } from './text-difference.ts';

export type Difference = {
  readonly name: string;
  readonly before: string;
  readonly after: string;
  /** How it is split; otherwise by word. */
  readonly partsOf?: (text: string) => string[];
};

/** A field before and after in one text: deletions struck out, additions underlined. */
export function FieldDifference({ name, before, after, partsOf }: Difference) {
  let at = 0;
  return (
    <div className={classes.field}>
      <span className={classes.name}>{name}</span>
      <p className={classes.text}>
        {textDifference(before, after, partsOf).map(({ kind, text }) => {
          at += 1;
          if (kind === 'same') return <span key={at}>{shortenedMiddle(text)}</span>;
          return kind === 'gone' ? <del key={at}>{text}</del> : <ins key={at}>{text}</ins>;
        })}
      </p>
    </div>
  );
}

const shownAround = 240;

/** Shortens the unchanged middle of a long text. */
function shortenedMiddle(text: string): string {
  if (text.length <= 2 * shownAround + 20) return text;
  return `${text.slice(0, shownAround).toWellFormed()} […] ${text.slice(-shownAround).toWellFormed()}`;
}

type ConflictProps = {
  /** "Ada North changed this" */
  readonly sentence: string;
  /** From the saved version to the typed one. */
  readonly differences: readonly Difference[];
  readonly busy: boolean;
  /** What is typed can't be sent. */
  readonly disabled: boolean;
  /** The button that sends what is typed. */
  readonly mine?: string | undefined;
  readonly onMine: () => void;
  readonly onTheirs: () => void;
};

export function Conflict({
  sentence,
  differences,
  busy,
  disabled,
  mine = 'Save mine',
  onMine,
  onTheirs,
}: ConflictProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would need a legend beside the sentence.
    <div className={classes.conflict} role="group" aria-label={sentence}>
      <p role="alert">{sentence}. Crossed out: only in the saved version. Underlined: only in yours.</p>
      <div className={classes.differences}>
        {differences.map((each) => (
          <FieldDifference key={each.name} {...each} />
        ))}
      </div>
      <div className={classes.buttons}>
        <Button onClick={onMine} loading={busy} disabled={disabled}>
          {mine}
        </Button>
        <Button variant="default" onClick={onTheirs}>
          Keep the saved version
        </Button>
      </div>
    </div>
  );
}

/** The saved state of what a form changes. Others can change it while the form is open. */
export type Saved<Values> = {
  readonly version: number;
  readonly values: Values;
  /** The fields' titles and values in words. */
  readonly words: (values: Values) => Readonly<Record<string, string>>;
  /** Who saved it, if that is known. */
  readonly by?: string | null;
  /** The version that a draft began with, if that isn't the saved one. */
  readonly base?: { readonly version: number; readonly values: Values } | undefined;
  /** After the person chose the saved version. */
  readonly onKept?: () => void;
};

/** The part of the form library's form that is used. */
type Fields<Values> = {
  readonly getValues: () => Values;
  readonly setValues: (values: Values) => void;
  readonly setInitialValues: (values: Values) => void;
  readonly errors: Readonly<Record<string, ReactNode>>;
  readonly setFieldError: (name: '', error: ReactNode) => void;
};

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** The fields that differ from `base`. */
export function typedSince<Values extends object>(base: Values, typed: Values): Partial<Values> {
  const changed = Object.entries(typed).filter(([name, value]) => !isSame(value, base[name as keyof Values]));
  return Object.fromEntries(changed) as Partial<Values>;
}

/**
 * Brings a newer saved version into the form, keeps what was typed, and asks which to save where they differ.
 * `version` is the one that the form is based on.
 */
export function useSaved<Values extends object>(saved: Saved<Values> | undefined, form: Fields<Values>) {
  const [base, setBase] = useState(saved && { ...saved, ...saved.base });
  const [isAsked, setAsked] = useState(false);
  /** The values last sent: a version with them is the person's own. */
  const sent = useRef<Values | null>(null);
  // Before a key can reach fields that still show the version before.
  useLayoutEffect(() => {
    if (!saved || !base || saved.version === base.version) return;
    const typed = form.getValues();
    const isOwn = sent.current !== null && isSame(saved.values, sent.current);
    const merged = { ...saved.values, ...typedSince(isOwn ? saved.values : base.values, typed) };
    const failure = isSame(typed, base.values) && form.errors[''];
    form.setInitialValues(saved.values);
    if (!isSame(merged, typed)) form.setValues(merged);
    // A refused reset: nothing was typed, so the message is all that tells of it.
    if (failure) form.setFieldError('', failure);
    // Saved after all: its answer was lost.
    const isSaved = !isSame(typed, base.values) && isSame(merged, saved.values);
    if (isSaved) form.setFieldError('', null);
    const isOther = !isOwn && !isSame(saved.values, base.values);
    setBase(saved);
    setAsked((isAsked || isOther) && !isSame(merged, saved.values));
  });
  const differs = isAsked && base !== undefined && !isSame(form.getValues(), base.values);
  const words = base && differs ? [base.words(base.values), base.words(form.getValues())] : [{}, {}];
  const differences = Object.entries(words[0]!).flatMap(([name, before]) => {
    const after = words[1]![name] ?? '';
    return after === before ? [] : [{ name, before, after }];
  });
  const keep = () => {
    if (!base) return;
    form.setValues(base.values);
    setAsked(false);
    base.onKept?.();
  };
  return {
    sent,
    version: base?.version ?? 0,
    conflict: differs ? { sentence: `${base?.by ?? 'Someone'} changed this`, differences, keep } : null,
  };
}
