import { Button } from '@mantine/core';
import classes from './panel-error.module.css';

type Props = {
  /** One sentence: what could not be done. */
  readonly sentence: string;
  readonly onRetry?: () => void;
  readonly requestId?: string | undefined;
};

/** A panel fails alone; the rest of the page works on. */
export function PanelError({ sentence, onRetry, requestId }: Props) {
  return (
    <div className={classes.error} role="alert">
      <p>{sentence}</p>
      {requestId && <p className={classes.id}>Request {requestId}</p>}
      {onRetry && (
        <Button variant="default" onClick={onRetry} className={classes.retry}>
          Retry
        </Button>
      )}
    </div>
  );
}
