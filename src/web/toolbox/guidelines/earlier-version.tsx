import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { formatInstant } from '#core/base/day-words.ts';
import { config } from '#web/api/config.ts';
import { useAddress } from '#web/shell/address.ts';
import { Markdown } from '#web/ui/markdown.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import { Segmented } from '#web/ui/segmented.tsx';
import { Loading, SkeletonRows } from '#web/ui/skeleton.tsx';
import classes from './guidelines-page.module.css';
import { type Guidelines, versionQuery } from './guidelines-queries.ts';
import { VersionDifference } from './version-difference.tsx';

const views = [
  { value: 'text', label: 'Text' },
  { value: 'difference', label: 'What changed since' },
];

/** An earlier version, and how the current one differs from it. */
export function EarlierVersion({ version, current }: { version: number; current: Guidelines }) {
  const earlier = useQuery(versionQuery(version));
  const [view, setView] = useState('text');
  const [, change] = useAddress('/top-5/tools/guidelines');
  const { data } = earlier;
  return (
    <Panel
      title={`Version ${version}`}
      note="no longer current"
      actions={<Segmented segments={views} value={view} onChange={setView} label="View" />}
      flush
    >
      {earlier.isError && !data ? (
        <PanelError
          sentence={`Couldn’t load version ${version}.`}
          onRetry={() => void earlier.refetch()}
          requestId={earlier.error.requestId}
        />
      ) : (
        <Loading loading={!data} skeleton={<SkeletonRows rows={8} />}>
          {data && (
            <>
              <div className={`${classes.notice} ${classes.above}`}>
                <p>
                  {data.publishedBy} published it on {formatInstant(data.publishedAt, config().companyTimeZone)}. What
                  changed then: {data.note}
                </p>
                <Button variant="default" onClick={() => change({ version: null })}>
                  Read version {current.version}
                </Button>
              </div>
              <div className={classes.text}>
                {view === 'text' ? (
                  <Markdown text={data.text} document />
                ) : (
                  <VersionDifference before={data.text} after={current.text} />
                )}
              </div>
            </>
          )}
        </Loading>
      )}
    </Panel>
  );
}
