import { Button } from '@mantine/core';
import { useFocusBack } from '#web/ui/focus-back.ts';
import { PanelError } from '#web/ui/panel-error.tsx';
import { BadRows } from './bad-rows.tsx';
import classes from './import-wizard.module.css';
import { runWords } from './run-words.ts';
import type { Importing } from './use-import.ts';

type Props = { readonly fileName: string; readonly importing: Importing; readonly onAgain: (() => void) | null };

/** How an import goes, with the way to stop it, and what it did. */
export function UnderWay({ fileName, importing, onAgain }: Props) {
  const { run, sent, isUnderWay, isStopping, isGivenUp, readError } = importing;
  const words = useFocusBack<HTMLParagraphElement>(isUnderWay);
  if (readError)
    return (
      <PanelError
        sentence="How the import stands could not be read."
        onRetry={importing.readAgain}
        requestId={readError.requestId}
      />
    );
  if (!isUnderWay && !run && !isGivenUp) return null;
  const endedEarly = isGivenUp || run?.state === 'stopped' || run?.state === 'failed';
  return (
    <div className={classes.report}>
      <div className={classes.way}>
        <p role="status" ref={words} tabIndex={-1} className={classes.words}>
          {isUnderWay && isStopping ? 'Stopping …' : wordsOf(importing, fileName)}
        </p>
        {/* Keys of their own: as one button, pressing Stop twice would begin again. */}
        {isUnderWay && (
          <Button key="stop" variant="default" loading={isStopping} onClick={importing.stop}>
            Stop
          </Button>
        )}
        {!isUnderWay && endedEarly && onAgain && (
          <Button key="again" variant="default" onClick={onAgain}>
            Run again
          </Button>
        )}
      </div>
      {isUnderWay && (
        <progress
          className={classes.bar}
          aria-label={run ? 'How much has been read' : `Sending ${fileName}`}
          value={run?.share ?? sent}
          max={1}
        />
      )}
      {!isUnderWay && run && run.refused > 0 && <BadRows run={run} />}
    </div>
  );
}

function wordsOf({ run, isGivenUp }: Importing, fileName: string): string {
  if (run) return runWords(run);
  return isGivenUp ? 'Stopped while the file was being sent: nothing was imported.' : `Sending ${fileName}`;
}
