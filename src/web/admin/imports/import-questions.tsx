// What is asked before an import starts.
import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { countWords, plural } from '#core/base/formats.ts';
import { otherDaysReason } from '#core/numbers/imports.ts';
import { readingWords } from './first-rows.tsx';
import type { Preview } from './import-calls.ts';
import { hasRepeatedIds } from './import-reasons.tsx';
import classes from './import-wizard.module.css';
import { identity, type MappingDraft, withField } from './mapping-draft.ts';
import { numbered, numberingTitle } from './rule-form.ts';

type Question = {
  /** `mapping`: only whether to replace the saved one. */
  readonly kind: 'first rows' | 'import' | 'mapping';
  /** The answer is that rows may count twice. */
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
    setAsked(isReplacing ? { kind: 'mapping', isAgain, of } : null);
    if (!isReplacing) onStart?.(isAgain);
  };
  /** Asks everything that the first rows call for. */
  const begin = () => {
    if (!isCurrent) setAsked({ kind: 'first rows', isAgain: false, of });
    else if (preview && (refusesMuch(preview) || replacesOtherDays(preview) || countsTwice(preview)))
      setAsked({ kind: 'import', isAgain: countsTwice(preview), of });
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

/** An import that refuses this share of the first rows is asked about, unless they are few. */
const muchRefused = 0.2;
const fewestRefused = 3;

const refusesMuch = ({ refused, sampleRows }: Preview): boolean =>
  refused >= Math.max(fewestRefused, sampleRows * muchRefused);

/** Most likely its ids are numbers of rows, which every file has. */
const replacesOtherDays = ({ doubts }: Preview): boolean =>
  doubts.some(({ field, reason }) => field === identity && reason.includes(otherDaysReason));

const countsTwice = ({ doubts }: Preview): boolean => doubts.some((doubt) => doubt.countsTwice);

type Props = {
  readonly question: Question | null;
  readonly preview: Preview | undefined;
  readonly draft: MappingDraft;
  readonly onChange: (draft: MappingDraft) => void;
  readonly name: string;
  /** The saved mapping isn't the one that was edited. */
  readonly isOther: boolean;
  readonly isReplacing: boolean;
  readonly onImport: () => void;
};

/** All that is asked has one button: a second one in its place would be pressed by a double click. */
export function Questions({ question, preview, isReplacing, ...props }: Props) {
  const rows = question?.kind === 'import' ? preview : undefined;
  const refused = rows && refusesMuch(rows) ? rows : null;
  const isWholeRefused = refused !== null && refused.refused === refused.sampleRows;
  const hasOtherDays = rows !== undefined && replacesOtherDays(rows);
  const isTwice = rows !== undefined && countsTwice(rows);
  const sentences = [
    ...(refused ? [refusedWords(refused)] : []),
    ...(hasOtherDays ? [otherDaysWords] : []),
    ...(isTwice ? [twiceWords] : []),
    ...(isReplacing ? [replacingWords(props)] : []),
  ];
  return (
    <>
      <p role="status">{question?.kind === 'first rows' && readingWords}</p>
      {sentences.length > 0 && (
        <div className={classes.way}>
          <div className={classes.words}>
            <p role="alert">{sentences.join(' ')}</p>
            {refused && <NumberedId {...props} preview={refused} />}
            {rows && <OtherSources {...props} doubts={rows.doubts} />}
          </div>
          <Button variant="default" {...((hasOtherDays || isTwice) && { color: 'danger' })} onClick={props.onImport}>
            {buttonWords({ isRefused: refused !== null, isWholeRefused, hasOtherDays, isTwice, isReplacing })}
          </Button>
        </div>
      )}
    </>
  );
}

type Asked = Readonly<Record<'isRefused' | 'isWholeRefused' | 'hasOtherDays' | 'isTwice' | 'isReplacing', boolean>>;

function buttonWords({ isRefused, isWholeRefused, hasOtherDays, isTwice, isReplacing }: Asked): string {
  if (hasOtherDays) return isRefused || isTwice || isReplacing ? 'Replace and import' : 'Replace those rows';
  if (isReplacing) return 'Replace mapping and import';
  if (isTwice) return 'Import anyway';
  return isWholeRefused ? 'Import anyway' : 'Import the valid rows';
}

const refusedWords = ({ refused, sampleRows }: Preview): string =>
  `${refused === sampleRows ? 'All' : countWords(refused)} of the first ${plural(sampleRows, 'row')} would be refused. The reasons are in step 2.`;

const otherDaysWords =
  'Rows stored for other days have the same IDs as rows in this file. The import would replace them.';

const twiceWords = 'These rows, or earlier versions of them, seem to have been imported already and would count twice.';

/** Nightly imports can use the mapping that an import would replace. */
const replacingWords = ({ name, isOther }: Pick<Props, 'name' | 'isOther'>): string =>
  `${
    isOther ? `The mapping “${name}” has changed since you opened it. Replace it?` : `Replace the mapping “${name}”?`
  } Other imports that use it will read their files differently.`;

type SourcesProps = Pick<Props, 'draft' | 'onChange'> & Pick<Preview, 'doubts'>;

/** A click makes the source that has the rows the mapping's. */
export function OtherSources({ draft, onChange, doubts }: SourcesProps) {
  const sources = new Set(doubts.flatMap(({ source }) => source ?? []));
  return [...sources].map((source) => (
    <Button key={source} variant="default" onClick={() => onChange({ ...draft, source })}>
      Use source “{source}”
    </Button>
  ));
}

type NumberedProps = Pick<Props, 'draft' | 'onChange'> & { readonly preview: Preview };

/** The tick box that makes repeated ids differ. */
function NumberedId({ draft, onChange, preview: { reasons } }: NumberedProps) {
  const numberedId = hasRepeatedIds(reasons) ? numbered(draft.fields[identity] ?? { kind: 'none' }) : null;
  if (!numberedId) return null;
  return (
    <label className={classes.check}>
      <input type="checkbox" onChange={() => onChange(withField(draft, identity, numberedId))} /> {numberingTitle}
    </label>
  );
}
