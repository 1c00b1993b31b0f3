import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { dayInZone, dayWithYear, formatInstant } from '#core/base/day-words.ts';
import { canEditGuidelines } from '#core/toolbox/guidelines.ts';
import { config } from '#web/api/config.ts';
import { useViewer } from '#web/api/viewer.ts';
import { useAddress } from '#web/shell/address.ts';
import { usePageTitle } from '#web/shell/page-title.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { LazyPanel, lazyPart } from '#web/ui/lazy-part.tsx';
import { Markdown } from '#web/ui/markdown.tsx';
import { PageHead } from '#web/ui/page-head.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import { SearchSelect } from '#web/ui/search-select.tsx';
import { Segmented } from '#web/ui/segmented.tsx';
import { Loading, SkeletonRows } from '#web/ui/skeleton.tsx';
import { Writes } from '#web/ui/writes.tsx';
import { CurrentText } from './current-text.tsx';
import classes from './guidelines-page.module.css';
import { type CurrentGuidelines, currentQuery, type Guidelines, versionQuery } from './guidelines-queries.ts';
import { StatusMeanings } from './status-meanings.tsx';
import { VersionDifference } from './version-difference.tsx';

const views = [
  { value: 'text', label: 'Text' },
  { value: 'difference', label: 'What changed since' },
];

/** An earlier version, and how the current one differs from it. */
function EarlierVersion({ version, current }: { version: number; current: Guidelines }) {
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

// Few people write, so these parts load separately.
const GuidelineEditor = lazyPart(
  () => import('./guideline-editor.tsx'),
  (module) => module.GuidelineEditor,
);
const GuidelineReaders = lazyPart(
  () => import('./guideline-readers.tsx'),
  (module) => module.GuidelineReaders,
);

export default function GuidelinesPage() {
  const canEdit = canEditGuidelines(useViewer());
  const current = useQuery(currentQuery);
  const [search, change] = useAddress('/top-5/tools/guidelines');
  const holds = current.data?.guidelines ?? null;
  const isEditing = canEdit && search.edit !== undefined && current.data !== undefined;
  const earlier = current.data?.guidelineVersions.find(
    ({ version }) => String(version) === search.version && version !== holds?.version,
  );
  return (
    <>
      <PageHead
        title={usePageTitle()}
        sentence={current.data && sentenceOf(current.data)}
        expected="Version 3, published by Ingrid Solheim on Mon 16 Nov 10:00"
        actions={
          !isEditing && (
            <>
              <VersionSelect current={current.data} chosen={earlier?.version ?? holds?.version} />
              {canEdit && (
                <Writes>
                  <Button onClick={() => change({ edit: '1', version: null })} disabled={!current.data}>
                    {holds ? 'Edit the guidelines' : 'Write the guidelines'}
                  </Button>
                </Writes>
              )}
            </>
          )
        }
      />
      <div className={classes.page}>
        {current.isError && !current.data ? (
          <Panel flush>
            <PanelError
              sentence="Couldn’t load the guidelines."
              onRetry={() => void current.refetch()}
              requestId={current.error.requestId}
            />
          </Panel>
        ) : (
          <Loading loading={!current.data} skeleton={<Waiting />}>
            <LazyPanel fallback={<Waiting />} attempt={isEditing}>
              {isEditing && <GuidelineEditor current={holds} onClose={() => change({ edit: null })} />}
            </LazyPanel>
            {!isEditing && holds && !earlier && <CurrentText guidelines={holds} />}
            {!isEditing && holds && earlier && <EarlierVersion version={earlier.version} current={holds} />}
            {!isEditing && current.data && !holds && <NothingYet canEdit={canEdit} />}
          </Loading>
        )}
        {!isEditing && <StatusMeanings />}
        {canEdit && holds && !isEditing && (
          <LazyPanel fallback={null} attempt={holds.version}>
            <GuidelineReaders version={holds.version} />
          </LazyPanel>
        )}
      </div>
    </>
  );
}

function sentenceOf({ guidelines }: CurrentGuidelines): string {
  if (!guidelines) return 'How S.T.A.R.T works.';
  const { version, publishedBy, publishedAt } = guidelines;
  return `Version ${version}, published by ${publishedBy} on ${formatInstant(publishedAt, config().companyTimeZone)}`;
}

function Waiting() {
  return (
    <Panel>
      <div className={classes.waiting}>
        <SkeletonRows rows={8} />
      </div>
    </Panel>
  );
}

function NothingYet({ canEdit }: { canEdit: boolean }) {
  return (
    <Panel flush>
      <EmptyState title="No guidelines yet">
        {canEdit
          ? 'Write the first version. Everyone who can open this page is asked to confirm it.'
          : 'When an admin publishes them, you’ll see them here. Below is what each status means.'}
      </EmptyState>
    </Panel>
  );
}

function VersionSelect({ current, chosen }: { current: CurrentGuidelines | undefined; chosen: number | undefined }) {
  const [, change] = useAddress('/top-5/tools/guidelines');
  const versions = current?.guidelineVersions ?? [];
  if (versions.length < 2 || chosen === undefined) return null;
  const [newest] = versions;
  return (
    <SearchSelect
      aria-label="Version"
      allowDeselect={false}
      w={212}
      data={versions.map(({ version, publishedAt }) => ({
        value: String(version),
        label:
          version === newest?.version
            ? `Version ${version}, current`
            : `Version ${version}, ${dayWithYear(dayInZone(publishedAt, config().companyTimeZone))}`,
      }))}
      value={String(chosen)}
      onChange={(value) => change({ version: value === String(newest?.version) ? null : value })}
    />
  );
}
