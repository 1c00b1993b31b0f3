import { Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { refusalAt, refusalMessage, type Viewer } from '#core/access/access.ts';
import { navigationFor, type VisibleEntry } from '#core/access/navigation.ts';
import { formatInstant } from '#core/base/day-words.ts';
import { sprintToClose } from '#core/tasks/sprint.ts';
import { config } from '#web/api/config.ts';
import { useReopens } from '#web/api/drafts.ts';
import { useLive, useLiveNotices, useReadAgain } from '#web/api/live.ts';
import { useOwnApprovers } from '#web/api/my-approvers.ts';
import { type SignedIn, useViewer } from '#web/api/viewer.ts';
import { withoutApprover } from '#web/shell/failure-advice.ts';
import { navigationTarget } from '#web/shell/navigation-target.ts';
import { OwnApproversSentence } from '#web/shell/own-approvers.tsx';
import { usePageTitle } from '#web/shell/page-title.ts';
import { timeLeft, useNow } from '#web/ui/age.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { PageHead } from '#web/ui/page-head.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import { useShortcuts } from '#web/ui/shortcuts.ts';
import { Loading } from '#web/ui/skeleton.tsx';
import { useTypeAhead } from '#web/ui/typed-ahead.ts';
import { Writes } from '#web/ui/writes.tsx';
import { NewTaskDialog } from '../shared/new-task-dialog.tsx';
import { sprintsQuery } from '../shared/queries.ts';
import { stepTo } from '../shared/task-marks.ts';
import { NewTaskWords, newTaskDraft } from '../shared/unsent-task.tsx';
import { useClosingWeek } from './close-week.tsx';
import { FirstWeek, useFirstWeek } from './first-week.tsx';
import { MyTasks } from './my-tasks.tsx';
import classes from './my-week-page.module.css';
import {
  type MyWeek,
  myWeekQuery,
  recapsQuery,
  type WeekSprint,
  waitingQuery,
  weekQuestionsQuery,
} from './my-week-queries.ts';
import { NextMeeting } from './next-meeting.tsx';
import { OpenAtClose } from './open-at-close.tsx';
import { PinnedNumbers } from './pinned-numbers.tsx';
import { SlotStripSkeleton } from './slot-strip.tsx';
import { WeekRecaps } from './week-recaps.tsx';
import { PeopleToHelp, useWeekNotes, WaitingForMe, YourPages } from './week-side.tsx';
import { WeekRowsSkeleton } from './week-task-row.tsx';

const scope = 'My week';

export default function MyWeekPage() {
  const viewer = useViewer();
  const sections = sectionsFor(viewer);
  const week = useQuery(myWeekQuery);
  const { firstWeek, hide } = useFirstWeek(week.data);
  const isGuided = firstWeek !== null;
  const notes = useWeekNotes({ ...sections, isGuided });
  const adding = useAdding(viewer, sections.tasks, week.data);
  const closing = useClosingWeek(week.data, sections.tasks);
  useLiveWeek();
  const { above, beside, isAwaited } = useWaiting(sections);
  useShortcuts([
    { key: 'j', label: 'Next task', scope, run: () => stepTo(1) },
    { key: 'k', label: 'Previous task', scope, run: () => stepTo(-1) },
  ]);
  return (
    <>
      <PageHead
        title={usePageTitle()}
        sentence={week.data && <SprintSentence sprint={week.data.sprint} />}
        expected="Sprint 2026 W47 until Mon 23 Nov 10:00 (UTC), 2 days left"
        actions={
          sections.tasks && (
            <>
              {closing.button}
              <AddTask onAdd={adding.start} />
            </>
          )
        }
      />
      {adding.dialog}
      {closing.dialog}
      <div className={classes.page}>
        <div className={classes.column}>
          {week.isError && !week.data ? (
            <>
              {above}
              <NoWeek error={week.error} refetch={week.refetch} />
            </>
          ) : (
            <Loading
              loading={!week.data || notes.isLoading || isAwaited}
              skeleton={<WeekSkeleton sections={sections} withWaiting={above !== null} />}
            >
              {firstWeek && <FirstWeek {...sections} {...firstWeek} onAdd={adding.start} onHide={hide} />}
              {notes.panel}
              {above}
              {week.data && (
                <Main {...{ sections, isGuided }} week={week.data} closed={closing.closed} onAdd={adding.start} />
              )}
            </Loading>
          )}
        </div>
        <Side sections={sections}>{beside}</Side>
      </div>
    </>
  );
}

/** What others wait for. In one column it comes before the own tasks, which come with it. */
function useWaiting({ approvals }: WeekSections) {
  const narrow = useMediaQuery('(max-width: 1100px)', undefined, { getInitialValueInEffect: false });
  const waiting = useQuery({ ...waitingQuery, enabled: approvals });
  const list = approvals ? <WaitingForMe waiting={waiting} /> : null;
  return { above: narrow ? list : null, beside: narrow ? null : list, isAwaited: narrow && waiting.isLoading };
}

const NoWeek = ({ error, refetch }: Pick<UseQueryResult<MyWeek>, 'error' | 'refetch'>) => (
  <Panel flush>
    <PanelError sentence="Couldn’t load your week." onRetry={() => void refetch()} requestId={error?.requestId} />
  </Panel>
);

function AddTask({ onAdd }: { onAdd: () => void }) {
  return (
    <Writes>
      <Button leftSection={<IconPlus size={16} stroke={1.7} aria-hidden />} aria-keyshortcuts="c" onClick={onAdd}>
        <NewTaskWords />
      </Button>
    </Writes>
  );
}

/** A new task without leaving the week. The sprints are fetched once the form opens: most visits need none. */
function useAdding(viewer: SignedIn, keepsTasks: boolean, week: MyWeek | undefined) {
  const [adding, setAdding] = useState(useReopens(newTaskDraft));
  // A failure is shown in the form, which keeps what is typed.
  const { data: sprints, failureCount, isError } = useQuery({ ...sprintsQuery, meta: {}, enabled: adding });
  // Trying again doesn't take the form away.
  const [isReady, setReady] = useState(false);
  if (!isReady && (sprints || failureCount > 0)) setReady(true);
  const start = () => setAdding(true);
  useTypeAhead(adding, () => setAdding(false));
  useShortcuts(keepsTasks ? [{ key: 'c', label: 'New task', scope, writes: true, opensForm: true, run: start }] : []);
  const dialog = isReady && (
    <NewTaskDialog
      opened={adding}
      viewer={viewer}
      forOthers={false}
      sprints={sprints ?? []}
      isSprintsError={isError}
      personId={viewer.id}
      sprintId={null}
      isWeekClosed={week?.recap != null && sprintToClose(week.sprint, week.previousSprint) === week.sprint}
      onClose={() => setAdding(false)}
      onCreated={() => {}}
    />
  );
  return { start, dialog };
}

/** Any change of a task may concern the viewer's own tasks or decisions. */
function useLiveWeek(): void {
  const client = useQueryClient();
  const again = useReadAgain(myWeekQuery.queryKey, waitingQuery.queryKey);
  useLive(again);
  // A recap, a bonus question or another order changes no task.
  useLiveNotices(() => {
    again();
    void client.invalidateQueries({ queryKey: recapsQuery.queryKey });
    void client.invalidateQueries({ queryKey: weekQuestionsQuery.queryKey });
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

type MainProps = {
  readonly week: MyWeek;
  readonly sections: WeekSections;
  /** Says when the week was closed. */
  readonly closed: ReactNode;
  readonly isGuided: boolean;
  readonly onAdd: () => void;
};

function Main({ week, sections, closed, isGuided, onAdd }: MainProps) {
  const { tasks, tasksRefusal, people } = sections;
  return (
    <>
      {people && <PeopleToHelp />}
      {tasks && <MyTasks week={week} closed={closed} isGuided={isGuided} onAdd={onAdd} />}
      {tasks && <OpenAtClose week={week} />}
      {!tasks && <WithoutTasks refusal={isGuided ? null : tasksRefusal} pages={sections.pages} />}
    </>
  );
}

function WithoutTasks({ refusal, pages }: { refusal: string | null; pages: WeekSections['pages'] }) {
  return (
    <>
      {refusal && <TasksRefused reason={refusal} />}
      <YourPages pages={pages} />
    </>
  );
}

type SideProps = { readonly sections: WeekSections; readonly children: ReactNode };

function Side({ sections: { approvals, numbers, schedule }, children }: SideProps) {
  if (!approvals && !numbers && !schedule) return null;
  return (
    <div className={`${classes.column} ${classes.side}`}>
      {children}
      {approvals && <WeekRecaps />}
      {numbers && <PinnedNumbers />}
      {schedule && <NextMeeting />}
    </div>
  );
}

/** Five tasks under their bar. People without tasks have nothing to load, and see their pages immediately. */
function WeekSkeleton({ sections: { tasks, tasksRefusal, pages }, withWaiting }: SkeletonProps) {
  return (
    <>
      {withWaiting && (
        <Panel title="Waiting for me" note={' '} flush>
          <WeekRowsSkeleton rows={4} />
        </Panel>
      )}
      {tasks || tasksRefusal ? (
        <Panel title="My tasks" note={' '} flush>
          <SlotStripSkeleton />
          <WeekRowsSkeleton rows={5} />
        </Panel>
      ) : (
        <YourPages pages={pages} />
      )}
    </>
  );
}

type SkeletonProps = { readonly sections: WeekSections; readonly withWaiting: boolean };

function TasksRefused({ reason }: { reason: string }) {
  const own = useOwnApprovers();
  return (
    <Panel title="My tasks" flush>
      <EmptyState title={reason}>{own ? <OwnApproversSentence own={own} /> : withoutApprover}</EmptyState>
    </Panel>
  );
}

/** The entries of number pages. */
const numberKeys: ReadonlySet<string> = new Set([
  'sales',
  'donations',
  'affiliateStats',
  'customerService',
  'distributions',
  'productPayments',
]);

/** A person's sections of My week, from the navigation's tables. */
type WeekSections = {
  /** Whether the person keeps tasks. */
  readonly tasks: boolean;
  /** Why a person with tasks can't open their own ("approved by the manager", spec 6). */
  readonly tasksRefusal: string | null;
  readonly approvals: boolean;
  /** Whether the person manages people. */
  readonly people: boolean;
  readonly schedule: boolean;
  readonly guidelines: boolean;
  /** Whether bonus questions may wait for the person. */
  readonly questions: boolean;
  readonly numbers: boolean;
  /** The navigation, for people without S.T.A.R.T. */
  readonly pages: readonly VisibleEntry[];
};

function sectionsFor(viewer: Viewer): WeekSections {
  const entries = navigationFor(viewer);
  const tasks = navigationTarget(viewer, 'tasks');
  const refusal = tasks && refusalAt(viewer, tasks.path);
  const approvals = navigationTarget(viewer, 'approvals') !== null;
  return {
    tasks: tasks !== null && !refusal,
    tasksRefusal: refusal && refusalMessage(refusal),
    approvals,
    people: navigationTarget(viewer, 'usermanagement') !== null,
    schedule: navigationTarget(viewer, 'schedule') !== null,
    guidelines: navigationTarget(viewer, 'guidelines') !== null,
    questions: approvals && navigationTarget(viewer, 'bonus') !== null,
    numbers: entries.some(({ key }) => numberKeys.has(key)),
    // Logout isn't a page.
    pages: entries.filter(({ icon }) => icon !== 'logout'),
  };
}
