// What is asked before an import starts.
import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { countWords, plural } from '#core/base/formats.ts';
import { readingWords } from './first-rows.tsx';
import type { Preview } from './import-calls.ts';
import { hasRepeatedIds } from './import-reasons.tsx';
import classes from './import-wizard.module.css';
import { identity, type MappingDraft, withField } from './mapping-draft.ts';
import { numbered, numberingTitle } from './rule-form.ts';

type Question = {
  readonly kind: 'first rows' | 'refused' | 'other days' | 'replaced';
  readonly isAgain: boolean;
  readonly of: string;
};

type Asks = {
  /** The mapping and its name: an answer is for nothing else. */
  readonly of: string;
  readonly isCurrent: boolean;
  readonly preview: Preview | undefined;
  readonly isReplacing: boolean;
  /** Null while the mapping can't be imported. */
  readonly onStart: ((isAgain: boolean) => void) | null;
};

/** If the first rows aren't read yet, it waits for what they say. */
export function useQuestion({ of, isCurrent, preview, isReplacing, onStart }: Asks) {
  const [asked, setAsked] = useState<Question | null>(null);
  const start = (isAgain = false) => {
    setAsked(isReplacing ? { kind: 'replaced', isAgain, of } : null);
    if (!isReplacing) onStart?.(isAgain);
  };
  /** Asks what the first rows call for, one question after the other. */
  const begin = (answered?: Question['kind']) => {
    const kinds: readonly Question['kind'][] = isCurrent ? questionsOf(preview) : ['first rows'];
    const next = kinds[answered ? kinds.indexOf(answered) + 1 : 0];
    if (next) setAsked({ kind: next, isAgain: false, of });
    else start();
  };
  const isVoid = asked !== null && (asked.of !== of || onStart === null);
  const isAnswered = asked?.kind === 'first rows' && isCurrent;
  useEffect(() => {
    if (isVoid) setAsked(null);
    else if (isAnswered) begin();
  });
  return { question: isVoid ? null : asked, begin, start, close: () => setAsked(null) };
}

type ReplacingProps = {
  readonly name: string;
  /** It isn't the one that was edited. */
  readonly isOther: boolean;
  readonly onImport: () => void;
};

/** Nightly imports can use the mapping that an import would replace. */
function Replacing({ name, isOther, onImport }: ReplacingProps) {
  return (
    <div className={classes.way}>
      <p role="alert" className={classes.words}>
        {isOther
          ? `The mapping “${name}” has changed since you opened it. Replace it?`
          : `Replace the mapping “${name}”?`}{' '}
        Other imports that use it will read their files differently.
      </p>
      <Button variant="default" onClick={onImport}>
        Replace and import
      </Button>
    </div>
  );
}

/** An import that refuses this share of the first rows is asked about, unless they are few. */
const muchRefused = 0.2;
const fewestRefused = 3;

const refusesMuch = ({ refused, sampleRows }: Preview): boolean =>
  refused >= Math.max(fewestRefused, sampleRows * muchRefused);

/** Most likely its ids are numbers of rows, which every file has. */
const replacesOtherDays = ({ doubts }: Preview): boolean =>
  doubts.some(({ field, reason }) => field === identity && reason.includes('belongs to rows of other days'));

const questionsOf = (preview: Preview | undefined): Question['kind'][] => [
  ...(preview && refusesMuch(preview) ? (['refused'] as const) : []),
  ...(preview && replacesOtherDays(preview) ? (['other days'] as const) : []),
];

function ReplacingRows({ onImport }: { readonly onImport: () => void }) {
  return (
    <div className={classes.way}>
      <p role="alert" className={classes.words}>
        Stored rows of other days have this file’s ids. The import would replace those rows.
      </p>
      <Button variant="default" color="danger" onClick={onImport}>
        Replace those rows
      </Button>
    </div>
  );
}

type MuchRefusedProps = {
  readonly draft: MappingDraft;
  readonly onChange: (draft: MappingDraft) => void;
  readonly preview: Preview;
  readonly onImport: () => void;
};

function MuchRefused({ preview, draft, onChange, onImport }: MuchRefusedProps) {
  const { refused, sampleRows, reasons } = preview;
  const numberedId = hasRepeatedIds(reasons) ? numbered(draft.fields[identity] ?? { kind: 'none' }) : null;
  return (
    <div className={classes.way}>
      <div className={classes.words}>
        <p role="alert">
          {countWords(refused)} of the first {plural(sampleRows, 'row')} would be refused. The reasons are in step 2.
        </p>
        {numberedId && (
          <label className={classes.check}>
            <input type="checkbox" onChange={() => onChange(withField(draft, identity, numberedId))} /> {numberingTitle}
          </label>
        )}
      </div>
      <Button variant="default" onClick={onImport}>
        Import the other rows
      </Button>
    </div>
  );
}

type QuestionsProps = Omit<MuchRefusedProps, 'preview' | 'onImport'> &
  Omit<ReplacingProps, 'onImport'> & {
    readonly question: Question | null;
    readonly preview: Preview | undefined;
    readonly isReplacing: boolean;
    /** Goes on to the next question, or imports. */
    readonly onAnswer: (kind: Question['kind']) => void;
    readonly onReplace: () => void;
  };

export function Questions(props: QuestionsProps) {
  const { question, preview, draft, onChange, name, isOther, isReplacing, onAnswer, onReplace } = props;
  return (
    <>
      <p role="status">{question?.kind === 'first rows' && readingWords}</p>
      {question?.kind === 'refused' && preview && (
        <MuchRefused {...{ preview, draft, onChange }} onImport={() => onAnswer('refused')} />
      )}
      {question?.kind === 'other days' && <ReplacingRows onImport={() => onAnswer('other days')} />}
      {isReplacing && <Replacing {...{ name, isOther }} onImport={onReplace} />}
    </>
  );
}
