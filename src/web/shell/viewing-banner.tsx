import { Button } from '@mantine/core';
import { IconEye } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { viewerQuery } from '#web/api/viewer.ts';
import { stopViewing } from '#web/api/viewing.ts';
import { isViewing } from '#web/api/viewing-tab.ts';
import classes from './viewing-banner.module.css';

/** Shows on every page who this tab views as, and a way out. */
export function ViewingBanner() {
  const viewing = isViewing();
  const { data } = useQuery({ ...viewerQuery, enabled: viewing });
  const [leaving, setLeaving] = useState(false);
  // Stays until the page is left, because it still shows the other person's data.
  if (!viewing && !leaving) return null;
  const look = data?.viewing;
  const stop = () => {
    setLeaving(true);
    void stopViewing();
  };
  return (
    <section className={classes.banner} aria-label="Viewing as">
      <IconEye size={16} stroke={1.7} aria-hidden="true" />
      <p>
        {look ? (
          <>
            Viewing as {look.kind === 'role' ? 'the role ' : ''}
            <strong>{look.as}</strong>
            <span className={classes.more}> · You are {look.by}. You can’t change anything.</span>
          </>
        ) : (
          'Viewing as someone else'
        )}
      </p>
      <Button size="compact-sm" variant="default" onClick={stop} loading={leaving}>
        Stop viewing
      </Button>
    </section>
  );
}
