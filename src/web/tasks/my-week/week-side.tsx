import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import { isAdmin, refusalAt } from '#core/access/access.ts';
import type { VisibleEntry } from '#core/access/navigation.ts';
import { isPath, type Path } from '#core/access/routes.ts';
import { plural } from '#core/base/formats.ts';
import { type Holiday, holidaysWithin, holidayWords } from '#core/base/holidays.ts';
import { absenceDay, absenceDays, delegateGapSentence, delegateGapWords, isOn } from '#core/people/absences.ts';
import { nobody as noRole } from '#core/people/people-search.ts';
import { expiringDays } from '#core/people/qualifications.ts';
import { type Absence, absencesQuery, companyToday } from '#web/access/shared/absence-queries.ts';
import { holidaysQuery } from '#web/access/shared/holidays-query.ts';
import { useViewer } from '#web/api/viewer.ts';
import { type PeopleCounts, peopleCountsQuery, unapprovedSentence } from '#web/people/shared/people-counts.ts';
import { qualificationCountsQuery } from '#web/people/shared/qualification-counts.ts';
import { targetsOf } from '#web/shell/navigation-target.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import { Loading } from '#web/ui/skeleton.tsx';
import { decidesForWords, ownerGoneWords } from '../shared/rules.ts';
import { type WaitingTasks, weekGuidelinesQuery, weekQuestionsQuery } from './my-week-queries.ts';
import classes from './week-side.module.css';
import { WeekRowsSkeleton, WeekTaskList, WeekTaskRow } from './week-task-row.tsx';

type NotesProps = {
  readonly guidelines: boolean;
  readonly tasks: boolean;
  readonly approvals: boolean;
  readonly questions: boolean;
  /** The first steps ask for the guidelines instead. */
  readonly isGuided: boolean;
};

/**
 * What the viewer should know before the tasks: guidelines to confirm, questions to answer, and that they
 * are away. Shown with the tasks, which would move if it came later.
 */
export function useWeekNotes({ guidelines, tasks, approvals, questions, isGuided }: NotesProps) {
  const { id } = useViewer();
  const rules = useQuery({ ...weekGuidelinesQuery, enabled: guidelines });
  const absences = useQuery({ ...absencesQuery(id), enabled: tasks || approvals });
  const asked = useQuery({ ...weekQuestionsQuery, enabled: questions });
  const holidays = useQuery(holidaysQuery);
  const today = Temporal.PlainDate.from(companyToday());
  const end = today.add({ days: 6 }).toString();
  const soon = holidaysWithin(holidays.data ?? [], today.toString(), end);
  const planned = absences.data ?? [];
  // A later one without a delegate who can decide comes before the next one: there is time to choose another.
  const away =
    planned.find((one) => isOn(one, companyToday())) ??
    planned.find(gapOf) ??
    planned.find(({ firstDay }) => firstDay <= end);
  const isUnread = !isGuided && rules.data?.confirmedAt === null;
  const isLoading = [rules, absences, asked, holidays].some((query) => query.isLoading);
  const notes = { isUnread, away, decides: approvals, questions: asked.data ?? 0, holidays: soon };
  const isShown = isUnread || away || notes.questions > 0 || soon.length > 0;
  return { isLoading, panel: isShown && <Notes {...notes} /> };
}

const gapOf = ({ delegateGap }: Absence): string | null => delegateGapWords(delegateGap);

function awaySentences(away: Absence, decides: boolean): string {
  const { delegate, lastDay } = away;
  const when = `You’re away ${isOn(away, companyToday()) ? `until ${absenceDay(lastDay, companyToday())}` : absenceDays(away)}`;
  if (!decides) return `${when}.`;
  const gap = gapOf(away);
  if (delegate && gap) return `${when}. ${delegateGapSentence(delegate.displayName, gap)}.`;
  return `${when}${delegate ? ` with ${delegate.displayName} as your delegate` : ' without a delegate'}.`;
}

type ShownNotes = {
  readonly isUnread: boolean;
  readonly away: Absence | undefined;
  /** Whether a delegate matters. */
  readonly decides: boolean;
  readonly questions: number;
  readonly holidays: readonly Holiday[];
};

function Notes({ isUnread, away, decides, questions, holidays }: ShownNotes) {
  return (
    <Panel title="Reminders" flush>
      <ul className={classes.help}>
        {isUnread && (
          <li>
            <Link to="/top-5/tools/guidelines">Read and confirm the guidelines</Link>
          </li>
        )}
        {questions > 0 && (
          <li>
            <Link to="/top-5/tools/bonus">Answer {plural(questions, 'bonus question')}</Link>
          </li>
        )}
        {away && (
          <li>
            {awaySentences(away, decides)}{' '}
            <Link to="/account">{decides && gapOf(away) ? 'Choose another delegate' : 'Change your time away'}</Link>
          </li>
        )}
        {holidays.map((one) => (
          <li key={`${one.firstDay} ${one.name}`}>{holidayWords(one, companyToday())}.</li>
        ))}
      </ul>
    </Panel>
  );
}

/** Links for someone without tasks, to the pages that open for them. */
export function YourPages({ pages }: { pages: readonly VisibleEntry[] }) {
  const viewer = useViewer();
  const opens = ({ path }: VisibleEntry) => isPath(path) && refusalAt(viewer, path) === null;
  const rows = pages
    .map((page) => ({ page, links: targetsOf(page.children.length === 0 ? [page] : page.children).filter(opens) }))
    .filter(({ links }) => links.length > 0);
  if (rows.length === 0) {
    return (
      <Panel flush>
        <EmptyState title="No other pages yet">Ask an admin to add pages to your role.</EmptyState>
      </Panel>
    );
  }
  return (
    <Panel title="My pages">
      <ul className={classes.pages}>
        {rows.map(({ page, links }) => (
          <li key={page.key}>
            {page.children.length > 0 && <span className={classes.title}>{page.title}</span>}
            <span className={classes.links}>
              {links.map((link) => (
                <PageLink key={link.key} page={link} />
              ))}
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

const qualificationsPath = '/role-qualifications' satisfies Path;

/** What waits for someone who manages people: those who can't start, have no approver, or miss requirements. */
export function PeopleToHelp() {
  const viewer = useViewer();
  const counts = useQuery(peopleCountsQuery);
  const seesQualified = refusalAt(viewer, qualificationsPath) === null;
  // It takes longer than the other counts, so its lines come when they can.
  const qualified = useQuery({ ...qualificationCountsQuery, enabled: seesQualified });
  const isUncounted = qualified.isError && qualified.data === undefined;
  const lines = counts.data ? helpLines(isAdmin(viewer), { ...counts.data, ...qualified.data }) : [];
  return (
    <Panel title="People" flush>
      {counts.isError && !counts.data ? (
        <PanelError
          sentence="Couldn’t load people."
          onRetry={() => void counts.refetch()}
          requestId={counts.error.requestId}
        />
      ) : (
        <Loading
          loading={!counts.data || (lines.length === 0 && qualified.isLoading)}
          skeleton={<WeekRowsSkeleton rows={2} />}
        >
          {lines.length > 0 && (
            <ul className={classes.help}>
              {lines.map((line) => (
                <li key={line.key}>{line}</li>
              ))}
            </ul>
          )}
          {lines.length === 0 && !isUncounted && <NobodyToHelp isCounted={qualified.data !== null} />}
          {isUncounted && (
            <PanelError
              sentence="Couldn’t count who meets their role’s requirements."
              onRetry={() => void qualified.refetch()}
              requestId={qualified.error.requestId}
            />
          )}
        </Loading>
      )}
    </Panel>
  );
}

/** `isCounted`: the requirements of roles too, where the viewer sees them. */
function NobodyToHelp({ isCounted }: { isCounted: boolean }) {
  if (!isCounted)
    return <EmptyState title="Everyone has a role">Everyone with tasks has an approver who can decide.</EmptyState>;
  return (
    <EmptyState title="Everyone is set up">
      Everyone has a role, and everyone with tasks has an approver who can decide.
    </EmptyState>
  );
}

type HelpCounts = Pick<PeopleCounts, 'withoutRole' | 'roleRequested' | 'unapproved'> & {
  readonly lacking?: number;
  readonly excepted?: number;
  readonly expiring?: number;
};

/** Someone can be in several of these. Only admins answer the requests of roles. */
function helpLines(answersRequests: boolean, counts: HelpCounts) {
  const { withoutRole, roleRequested, unapproved, lacking = 0, excepted = 0, expiring = 0 } = counts;
  return [
    withoutRole > 0 && (
      <Link key="withoutRole" to="/usermanagement" search={{ role: noRole }}>
        {plural(withoutRole, 'person has no role', 'people have no role')}
      </Link>
    ),
    answersRequests && roleRequested > 0 && (
      <Link key="roleRequested" to="/usermanagement" search={{ asked: '1' }}>
        A role was requested for {plural(roleRequested, 'person', 'people')}
      </Link>
    ),
    unapproved > 0 && (
      <Link key="unapproved" to="/approvermanagement" search={{ show: 'undecided' }}>
        {unapprovedSentence(unapproved)}
      </Link>
    ),
    lacking > 0 && (
      <Fragment key="lacking">
        <Link to={qualificationsPath} search={{ state: 'lacking' }}>
          {plural(lacking, 'person doesn’t', 'people don’t')} meet their role’s requirements
        </Link>
        {excepted > 0 && (
          <>
            {', and '}
            <Link to={qualificationsPath} search={{ state: 'excepted' }}>
              {excepted} more {excepted === 1 ? 'has an exception' : 'have an exception'}
            </Link>
          </>
        )}
      </Fragment>
    ),
    expiring > 0 && (
      <Link key="expiring" to={qualificationsPath} search={{ state: 'expiring' }}>
        {plural(expiring, 'person’s', 'people’s')} evidence expires within {expiringDays} days
      </Link>
    ),
  ].filter((line) => line !== false);
}

function PageLink({ page: { title, path, product } }: { page: VisibleEntry }) {
  return (
    <Link to={path} search={product ? { product } : {}}>
      {title}
    </Link>
  );
}

const DecidesFor = ({ words }: { words: string | null }) => words && <span className={classes.for}>For {words}</span>;

/** How much waits for a decision, and what to decide first. */
export function WaitingForMe({ waiting }: { waiting: UseQueryResult<WaitingTasks> }) {
  const viewer = useViewer();
  const count = waiting.data?.inboxCount;
  const all = count ? count.toApprove + count.toSignOff : 0;
  return (
    <Panel
      title="Waiting for me"
      {...(count ? { note: all } : {})}
      actions={
        all > 0 && (
          <Link to="/top-5/approvals" className={classes.headLink}>
            Review tasks
          </Link>
        )
      }
      flush
    >
      {waiting.isError && !waiting.data ? (
        <PanelError
          sentence="Couldn’t load what’s waiting for you."
          onRetry={() => void waiting.refetch()}
          requestId={waiting.error.requestId}
        />
      ) : (
        <Loading loading={!waiting.data} skeleton={<WeekRowsSkeleton rows={4} />}>
          {all === 0 ? (
            <EmptyState title="You’re all caught up">Tasks that your people submit or complete appear here.</EmptyState>
          ) : (
            <WeekTaskList>
              {waiting.data?.inbox.map((task) => (
                <WeekTaskRow key={task.id} task={task} to="/top-5/approvals" search={{ task: task.id }} owner>
                  {!task.ownerKeepsTasks && <p className={classes.for}>{ownerGoneWords}</p>}
                  <DecidesFor words={decidesForWords(viewer, task)} />
                </WeekTaskRow>
              ))}
            </WeekTaskList>
          )}
        </Loading>
      )}
    </Panel>
  );
}
