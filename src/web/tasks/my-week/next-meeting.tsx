import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { formatInstant } from '#core/base/day-words.ts';
import { config } from '#web/api/config.ts';
import { timeUntil, useNow } from '#web/ui/age.tsx';
import { ownTimeWords } from '#web/ui/own-time.ts';
import { Panel } from '#web/ui/panel.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import { Loading, SkeletonBlock } from '#web/ui/skeleton.tsx';
import { nextMeetingQuery, type WeekMeeting } from './my-week-queries.ts';
import classes from './week-side.module.css';

/** The viewer's current or next meeting. */
export function NextMeeting() {
  const next = useQuery(nextMeetingQuery);
  const now = useNow();
  const left = next.data ? timeUntil(next.data.start, now) : null;
  return (
    <Panel title="Next meeting" {...(next.data ? { note: left ? `in ${left}` : 'now' } : {})}>
      {next.isError && next.data === undefined ? (
        <PanelError
          sentence="Couldn’t load your next meeting."
          onRetry={() => void next.refetch()}
          requestId={next.error.requestId}
        />
      ) : (
        <Loading loading={next.data === undefined} skeleton={<Waiting />}>
          <Words next={next.data ?? null} />
        </Loading>
      )}
      <p className={classes.link}>
        <Link to="/top-5/tools/schedule">Open the schedule</Link>
      </p>
    </Panel>
  );
}

function Words({ next }: { next: WeekMeeting }) {
  if (!next) {
    return (
      <>
        <p className={classes.title}>No meetings planned</p>
        <p className={classes.reason}>An admin or a meeting’s chair can add you.</p>
      </>
    );
  }
  const { title, place, link } = next.meeting;
  const zone = config().companyTimeZone;
  const own = ownTimeWords(Temporal.Instant.from(next.start), zone);
  return (
    <>
      <p className={classes.title}>{title}</p>
      <p className={classes.reason}>
        {formatInstant(next.start, zone)}
        {own && ` (${own})`}
        {place && `, ${place}`}
        {link && (
          <>
            {', '}
            <a href={link} target="_blank" rel="noopener nofollow">
              join<span className="visually-hidden"> {title}</span>
            </a>
          </>
        )}
      </p>
    </>
  );
}

function Waiting() {
  return (
    <>
      <p className={classes.title}>
        <SkeletonBlock width="60%" height={20} />
      </p>
      <p className={classes.reason}>
        <SkeletonBlock width="80%" height={18} />
      </p>
    </>
  );
}
