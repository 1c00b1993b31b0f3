import { Button } from '@mantine/core';
import classes from './panel-error.module.css';

type Props = {
  /** One sentence: what failed. */
  readonly sentence: string;
  readonly onRetry?: () => void;
  readonly requestId?: string | undefined;
};

/** A panel's failure; the rest of the page keeps working. */
export function PanelError({ sentence, onRetry, requestId }: Props) {
  return (
    <div className={classes.error} role="alert">
      <p>{sentence}</p>
      {requestId && <p className={classes.id}>Request ID {requestId}</p>}
      {onRetry && (
        <Button variant="default" onClick={onRetry} className={classes.retry}>
          Try again
        </Button>
      )}
    </div>
  );
}
