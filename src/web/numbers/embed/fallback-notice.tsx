import { Button } from '@mantine/core';
import classes from './fallback-notice.module.css';

const sentences = {
  notConfigured: 'Metabase is chosen for this dashboard but not set up on the server. These are the built-in tiles.',
  notReachable: 'Metabase does not answer right now. These are the built-in tiles.',
  expired:
    'The leave to show the Metabase dashboard has run out and could not be renewed. These are the built-in tiles.',
} as const;

type Props = { readonly reason: keyof typeof sentences; readonly onRetry: () => void };

/** One line above the tiles: what is missing, and what is shown instead. */
export function FallbackNotice({ reason, onRetry }: Props) {
  return (
    <div className={classes.notice} role="status">
      <p>{sentences[reason]}</p>
      {reason !== 'notConfigured' && (
        <Button variant="default" onClick={onRetry}>
          Retry
        </Button>
      )}
    </div>
  );
}
