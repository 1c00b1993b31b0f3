import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { formatInstant } from '#core/base/day-words.ts';
import { config } from '#web/api/config.ts';
import { useMutation } from '#web/api/mutation.ts';
import { Markdown } from '#web/ui/markdown.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import { SkeletonRows } from '#web/ui/skeleton.tsx';
import { showToast } from '#web/ui/toasts.tsx';
import { Writes } from '#web/ui/writes.tsx';
import classes from './guidelines-page.module.css';
import { confirm, currentQuery, type Guidelines, guidelinesKey, versionQuery } from './guidelines-queries.ts';
import { VersionDifference } from './version-difference.tsx';

/** The current version, with the confirmation at its end. */
export function CurrentText({ guidelines }: { guidelines: Guidelines }) {
  const { version, note, text, confirmedAt, lastConfirmed } = guidelines;
  const [difference, setDifference] = useState(false);
  const canCompare = confirmedAt === null && lastConfirmed !== null;
  return (
    <Panel title={`Version ${version}`} flush>
      {confirmedAt === null && (
        <div className={`${classes.notice} ${classes.above} ${classes.asks}`}>
          <p>
            <strong>You haven’t confirmed version {version} yet.</strong>
            {lastConfirmed !== null && ` What changed: ${note}`}
          </p>
          {canCompare && (
            <Button variant="default" aria-expanded={difference} onClick={() => setDifference(!difference)}>
              {difference ? 'Show the whole text' : `Show what changed since version ${lastConfirmed}`}
            </Button>
          )}
        </div>
      )}
      <div className={classes.text}>
        {difference && canCompare ? (
          <DifferenceSince version={lastConfirmed} text={text} />
        ) : (
          <Markdown text={text} document />
        )}
      </div>
      <Confirmation guidelines={guidelines} />
    </Panel>
  );
}

/** The difference from an earlier version. */
export function DifferenceSince({ version, text }: { version: number; text: string }) {
  const before = useQuery(versionQuery(version));
  if (before.data) return <VersionDifference before={before.data.text} after={text} />;
  if (!before.isError) return <SkeletonRows rows={4} />;
  return (
    <PanelError
      sentence={`Couldn’t load version ${version}.`}
      onRetry={() => void before.refetch()}
      requestId={before.error.requestId}
    />
  );
}

function Confirmation({ guidelines: { version, confirmedAt } }: { guidelines: Guidelines }) {
  const client = useQueryClient();
  const sending = useMutation({
    mutationFn: () => confirm(version),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: guidelinesKey });
      showToast({ message: `You confirmed version ${version}` });
    },
    // A newer version was published in the meantime: it replaces this one.
    onError: () => client.invalidateQueries({ queryKey: currentQuery.queryKey }),
  });
  return (
    <div className={`${classes.notice} ${classes.below}`}>
      {confirmedAt ? (
        <p role="status">You confirmed this version on {formatInstant(confirmedAt, config().companyTimeZone)}.</p>
      ) : (
        <>
          <p>Confirm that you’ve read this version and will follow it.</p>
          <Writes>
            <Button loading={sending.isPending} onClick={() => sending.mutate()}>
              Confirm version {version}
            </Button>
          </Writes>
        </>
      )}
    </div>
  );
}
