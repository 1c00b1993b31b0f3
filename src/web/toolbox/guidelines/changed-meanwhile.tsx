import { Button } from '@mantine/core';
import { Panel } from '#web/ui/panel.tsx';
import { DifferenceSince } from './current-text.tsx';
import classes from './guideline-editor.module.css';
import type { Guidelines } from './guidelines-queries.ts';

type Props = { readonly current: Guidelines; readonly basedOn: number; readonly onGoOn: () => void };

/** Somebody else published while this text was written: what they changed, before it can be written over. */
export function ChangedMeanwhile({ current, basedOn, onGoOn }: Props) {
  const { version, publishedBy, note, text } = current;
  return (
    <Panel title={`Version ${version} was published meanwhile`}>
      <div className={classes.meanwhile} role="alert">
        <p>
          {publishedBy} changed: {note} Your text was written from {basedOn === 0 ? 'nothing' : `version ${basedOn}`}.
          Bring into it what should stay, then go on.
        </p>
        {basedOn > 0 && <DifferenceSince version={basedOn} text={text} />}
      </div>
      <div className={classes.buttons}>
        <Button variant="default" onClick={onGoOn}>
          Go on from version {version}
        </Button>
      </div>
    </Panel>
  );
}
