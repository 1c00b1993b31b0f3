import { Button } from '@mantine/core';
import classes from './stale-notice.module.css';

/** Beside Save, which has to wait for it: someone else saved the same person first. */
export function StaleNotice({ onLoad }: { readonly onLoad: () => void }) {
  return (
    <div className={classes.notice} role="alert">
      <p>Someone else edited this person. Your changes are kept. Load the other changes, review them, then save.</p>
      <Button variant="default" mt={8} onClick={onLoad}>
        Load the other changes
      </Button>
    </div>
  );
}
