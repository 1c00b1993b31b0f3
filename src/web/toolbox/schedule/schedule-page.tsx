import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { scopes } from '#core/access/brands.ts';
import { isIn, nextOf } from '#core/toolbox/meeting-times.ts';
import { canCreateMeetings } from '#core/toolbox/meetings.ts';
import { config } from '#web/api/config.ts';
import { useInterruptedDrafts } from '#web/api/drafts.ts';
import { useViewer } from '#web/api/viewer.ts';
import { useAddress } from '#web/shell/address.ts';
import { useAsked } from '#web/shell/asked.ts';
import { usePageTitle } from '#web/shell/page-title.ts';
import { timeUntil, useNow } from '#web/ui/age.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { LazyPart, lazyPart } from '#web/ui/lazy-part.tsx';
import { ownTimeWords, ownZone } from '#web/ui/own-time.ts';
import { PageHead } from '#web/ui/page-head.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import { useShortcuts } from '#web/ui/shortcuts.ts';
import { Loading, SkeletonRows } from '#web/ui/skeleton.tsx';
import { useReadOnly, Writes } from '#web/ui/writes.tsx';
import { MeetingPanel } from './meeting-panel.tsx';
import { hostOf, whenWords } from './meeting-words.ts';
import classes from './schedule-page.module.css';
import { type Meeting, meetingDraft, scheduleQuery } from './schedule-queries.ts';
import type { Slot } from './slots.tsx';
import { mondayOfOpened, Week } from './week.tsx';

const MeetingDialog = lazyPart(
  () => import('./meeting-dialog.tsx'),
  (module) => module.MeetingDialog,
);
const FeedsDialog = lazyPart(
  () => import('./feeds-dialog.tsx'),
  (module) => module.FeedsDialog,
);

type Edited = Meeting | 'new' | Slot | null;

/** What the dialog shows: at first the meeting whose changes a failure interrupted. */
function useEdited(all: readonly Meeting[] | undefined) {
  const interrupted = useInterruptedDrafts();
  const [edited, setEdited] = useState<Edited | undefined>(
    interrupted.includes(meetingDraft(null)) ? 'new' : undefined,
  );
  const reopened = all?.find((meeting) => interrupted.includes(meetingDraft(meeting)));
  return [edited === undefined ? (reopened ?? null) : edited, setEdited] as const;
}

const createKey = { key: 'c', label: 'New meeting', scope: 'Schedule', writes: true, opensForm: true } as const;

export default function SchedulePage() {
  const viewer = useViewer();
  const schedule = useQuery(scheduleQuery);
  const now = Temporal.Instant.fromEpochMilliseconds(useNow());
  const data = schedule.data ?? [];
  const [edited, setEdited] = useEdited(schedule.data);
  const [feeds, setFeeds] = useState(false);
  useAsked('/top-5/tools/schedule', 'feeds', () => setFeeds(true));
  const isReadOnly = useReadOnly() !== null;
  const canCreate = canCreateMeetings(viewer);
  const create = () => setEdited('new');
  useShortcuts(canCreate ? [{ ...createKey, run: create }] : []);
  return (
    <>
      <PageHead
        title={usePageTitle()}
        sentence={zoneSentence(now)}
        actions={
          <>
            <Button variant={canCreate ? 'default' : 'filled'} onClick={() => setFeeds(true)}>
              Calendar feeds
            </Button>
            {canCreate && (
              <Writes>
                <Button onClick={create}>New meeting</Button>
              </Writes>
            )}
          </>
        }
      />
      <div className={classes.page}>
        <Meetings now={now} onSlot={canCreate && !isReadOnly ? setEdited : undefined} />
      </div>
      <OpenMeeting all={data} onEdit={setEdited} />
      <LazyPart fallback={null} attempt={edited} onFail={() => setEdited(null)}>
        {edited !== null && (
          <MeetingDialog
            meeting={edited !== 'new' && 'id' in edited ? (data.find(({ id }) => id === edited.id) ?? edited) : null}
            slot={edited !== 'new' && 'day' in edited ? edited : null}
            all={data}
            onClose={() => setEdited(null)}
          />
        )}
      </LazyPart>
      <LazyPart fallback={null} attempt={feeds} onFail={() => setFeeds(false)}>
        {feeds && <FeedsDialog onClose={() => setFeeds(false)} />}
      </LazyPart>
    </>
  );
}

function zoneSentence(now: Temporal.Instant): string {
  const zone = config().companyTimeZone;
  const own = ownZone();
  const isSame = now.toZonedDateTimeISO(zone).offset === now.toZonedDateTimeISO(own).offset;
  return `Times are in company time (${zone})${isSame ? '' : `, then in yours (${own})`}.`;
}

function Waiting() {
  return (
    <>
      <Panel title="Next up">
        <SkeletonRows rows={2} />
      </Panel>
      <Panel title="This week">
        <SkeletonRows rows={6} />
      </Panel>
    </>
  );
}

type MeetingsProps = { readonly now: Temporal.Instant; readonly onSlot: ((slot: Slot) => void) | undefined };

function Meetings({ now, onSlot }: MeetingsProps) {
  const { data: all, error, refetch } = useQuery(scheduleQuery);
  const canCreate = canCreateMeetings(useViewer());
  if (error && !all) {
    return (
      <Panel flush>
        <PanelError sentence="Couldn’t load the schedule." onRetry={() => void refetch()} requestId={error.requestId} />
      </Panel>
    );
  }
  if (all?.length === 0) {
    return (
      <Panel flush>
        <EmptyState title="No meetings yet">
          {canCreate
            ? 'Add the first one. Everyone sees it here. Attendees also get it in their calendar feed.'
            : 'When an admin adds meetings, you’ll see them here.'}
        </EmptyState>
      </Panel>
    );
  }
  return (
    <Loading loading={!all} skeleton={<Waiting />}>
      {all && (
        <>
          <NextUp all={all} now={now} />
          <Week all={all} now={now} onSlot={onSlot} />
        </>
      )}
    </Loading>
  );
}

/** The meeting in the address, next to the week. */
function OpenMeeting({ all, onEdit }: { all: readonly Meeting[]; onEdit: (meeting: Meeting) => void }) {
  const [search, change] = useAddress('/top-5/tools/schedule');
  const meeting = all.find(({ id }) => id === search.meeting);
  // The week of the opened date stays.
  const close = () =>
    change(
      { meeting: null, day: null, week: search.week ?? mondayOfOpened(all, search)?.toString() ?? null },
      { replace: true },
    );
  return (
    <MeetingPanel
      meeting={meeting ?? null}
      day={search.day ?? null}
      all={all}
      onClose={close}
      onEdit={(open) => {
        close();
        onEdit(open);
      }}
    />
  );
}

/** The viewer's current or next meeting. */
function NextUp({ all, now }: { all: readonly Meeting[]; now: Temporal.Instant }) {
  const viewer = useViewer();
  const zone = config().companyTimeZone;
  const mine = all.filter((meeting) => isIn(meeting, viewer.id));
  const next = nextOf(mine, now, zone);
  if (!next) {
    return (
      <Panel title="Next up">
        <p className={classes.title}>No meetings planned</p>
        <p className={classes.words}>
          {mine.length > 0
            ? 'Your meetings are over or canceled.'
            : 'You’re not in any meeting below. Ask an admin or the chair to add you.'}
        </p>
      </Panel>
    );
  }
  const { series, occurrence } = next;
  const left = timeUntil(occurrence.start.toString(), now.epochMilliseconds);
  const own = ownTimeWords(occurrence.start, zone);
  return (
    <Panel title="Next up" note={left ? `in ${left}` : 'now'}>
      <div className={classes.next}>
        <div className={classes.about}>
          <Link
            to="/top-5/tools/schedule"
            search={{ meeting: series.id, day: occurrence.day }}
            className={classes.title}
          >
            {series.title}
          </Link>
          <p className={classes.words}>
            {[
              whenWords(occurrence, zone),
              own,
              occurrence.moved && 'moved this week',
              series.place,
              series.team && scopes[series.team].title,
              `chaired by ${series.chair.displayName}`,
            ]
              .filter(Boolean)
              .join(' · ')}
          </p>
        </div>
        {series.link && (
          <a className={classes.join} href={series.link} target="_blank" rel="noopener nofollow">
            Join on {hostOf(series.link)}
          </a>
        )}
      </div>
    </Panel>
  );
}
