import { useQuery, useQueryClient } from '@tanstack/react-query';
import { refusalAt, refusalMessage, type Viewer } from '#core/access/access.ts';
import { navigationFor, type VisibleEntry } from '#core/access/navigation.ts';
import { formatInstant } from '#core/base/day-words.ts';
import { config } from '#web/api/config.ts';
import { useLive } from '#web/api/live.ts';
import { useViewer } from '#web/api/viewer.ts';
import { navigationTarget } from '#web/shell/navigation-target.ts';
import { usePageTitle } from '#web/shell/page-title.ts';
import { timeLeft, useNow } from '#web/ui/age.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { PageHead } from '#web/ui/page-head.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import { Loading } from '#web/ui/skeleton.tsx';
import { MyTasks, WeekShareSkeleton } from './my-tasks.tsx';
import classes from './my-week-page.module.css';
import { type MyWeek, myWeekQuery, type WeekSprint } from './my-week-queries.ts';
import { NextMeeting } from './next-meeting.tsx';
import { OpenAtClose } from './open-at-close.tsx';
import { PinnedNumbers } from './pinned-numbers.tsx';
import { WaitingForMe, YourPages } from './week-side.tsx';
import { WeekRowsSkeleton } from './week-task-row.tsx';

export default function MyWeekPage() {
  const viewer = useViewer();
  const sections = sectionsFor(viewer);
  const week = useQuery(myWeekQuery);
  useLiveWeek();
  return (
    <>
      <PageHead
        title={usePageTitle()}
        sentence={week.data && <SprintSentence sprint={week.data.sprint} />}
        expected="Sprint 2026 W47 until Mon 23 Nov 10:00 (UTC), 2 days left"
      />
      <div className={classes.page}>
        <div className={classes.column}>
          {week.isError && !week.data ? (
            <Panel flush>
              <PanelError
                sentence="Couldn’t load your week."
                onRetry={() => void week.refetch()}
                requestId={week.error.requestId}
              />
            </Panel>
          ) : (
            <Loading loading={!week.data} skeleton={<WeekSkeleton sections={sections} />}>
              {week.data && <Main week={week.data} sections={sections} />}
            </Loading>
          )}
        </div>
        <Side sections={sections} />
      </div>
    </>
  );
}

/** Any change of a task may be one of mine, or one that I decide. */
function useLiveWeek(): void {
  const client = useQueryClient();
  useLive(() => {
    void client.invalidateQueries({ queryKey: myWeekQuery.queryKey });
    void client.invalidateQueries({ queryKey: ['inbox'] });
  });
}

function SprintSentence({ sprint }: { sprint: WeekSprint }) {
  const left = timeLeft(sprint.endDate, useNow());
  const zone = config().companyTimeZone;
  return (
    <>
      Sprint {sprint.name} until {formatInstant(sprint.endDate, zone)} ({zone}){left && `, ${left}`}
    </>
  );
}

function Main({ week, sections }: { week: MyWeek; sections: WeekSections }) {
  const { tasks, tasksRefusal, pages } = sections;
  return (
    <>
      {tasks && <MyTasks week={week} />}
      {tasks && <OpenAtClose week={week} />}
      {tasksRefusal && <TasksRefused reason={tasksRefusal} />}
      {!tasks && !tasksRefusal && <YourPages pages={pages} />}
    </>
  );
}

function Side({ sections: { approvals, numbers, schedule } }: { sections: WeekSections }) {
  if (!approvals && !numbers && !schedule) return null;
  return (
    <div className={`${classes.column} ${classes.side}`}>
      {approvals && <WaitingForMe />}
      {numbers && <PinnedNumbers />}
      {schedule && <NextMeeting />}
    </div>
  );
}

/** Five tasks under their bar. Who keeps none has nothing that loads, and sees their pages at once. */
function WeekSkeleton({ sections: { tasks, tasksRefusal, pages } }: { sections: WeekSections }) {
  if (!tasks) return tasksRefusal ? <TasksRefused reason={tasksRefusal} /> : <YourPages pages={pages} />;
  return (
    <Panel title="My tasks" note={' '} flush>
      <WeekShareSkeleton />
      <WeekRowsSkeleton rows={5} />
    </Panel>
  );
}

function TasksRefused({ reason }: { reason: string }) {
  return (
    <Panel title="My tasks" flush>
      <EmptyState title={reason}>You need an approver before you can use tasks.</EmptyState>
    </Panel>
  );
}

/** The entries that lead to numbers. */
const numberKeys: ReadonlySet<string> = new Set([
  'sales',
  'donations',
  'affiliateStats',
  'customerService',
  'distributions',
  'productPayments',
]);

/** Which sections of My week a person has, read from the same tables as the navigation. */
type WeekSections = {
  /** Whether the person keeps tasks. */
  readonly tasks: boolean;
  /** Why the own tasks are closed to this person though they keep some ("approved by the manager", spec 6). */
  readonly tasksRefusal: string | null;
  readonly approvals: boolean;
  readonly schedule: boolean;
  readonly numbers: boolean;
  /** The navigation, for who has no S.T.A.R.T to begin with. */
  readonly pages: readonly VisibleEntry[];
};

function sectionsFor(viewer: Viewer): WeekSections {
  const entries = navigationFor(viewer);
  const tasks = navigationTarget(viewer, 'tasks');
  const refusal = tasks && refusalAt(viewer, tasks.path);
  return {
    tasks: tasks !== null && !refusal,
    tasksRefusal: refusal && refusalMessage(refusal),
    approvals: navigationTarget(viewer, 'approvals') !== null,
    schedule: navigationTarget(viewer, 'schedule') !== null,
    numbers: entries.some(({ key }) => numberKeys.has(key)),
    // The one that signs out leads to no page.
    pages: entries.filter(({ icon }) => icon !== 'logout'),
  };
}
