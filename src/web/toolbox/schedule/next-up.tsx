import { Link } from '@tanstack/react-router';
import { scopes } from '#core/access/brands.ts';
import { isIn, nextOf } from '#core/toolbox/meeting-times.ts';
import { config } from '#web/api/config.ts';
import { useViewer } from '#web/api/viewer.ts';
import { timeLeft } from '#web/ui/age.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { ownTimeWords, whenWords } from './meeting-words.ts';
import classes from './next-up.module.css';
import type { Meeting } from './schedule-queries.ts';

/** The meeting that the viewer is in now or next. */
export function NextUp({ all, now }: { all: readonly Meeting[]; now: Temporal.Instant }) {
  const viewer = useViewer();
  const zone = config().companyTimeZone;
  const mine = all.filter((meeting) => isIn(meeting, viewer.id));
  const next = nextOf(mine, now, zone);
  if (!next) {
    return (
      <Panel title="Next up">
        <p className={classes.title}>No meeting of yours is planned</p>
        <p className={classes.words}>You are in none of the meetings below. Whoever chairs one can add you.</p>
      </Panel>
    );
  }
  const { series, occurrence } = next;
  const left = timeLeft(occurrence.start.toString(), now.epochMilliseconds);
  const own = ownTimeWords(occurrence.start, zone);
  return (
    <Panel title="Next up" note={left ? `in ${left.replace(/ left$/, '')}` : 'now'}>
      <div className={classes.next}>
        <div className={classes.about}>
          <Link to="." search={{ meeting: series.id, day: occurrence.day } as never} className={classes.title}>
            {series.title}
          </Link>
          <p className={classes.words}>
            {whenWords(occurrence, zone)}
            {own && `, ${own}`}
            {occurrence.moved && ', moved this week'}
          </p>
          <p className={classes.words}>
            {[series.place, series.team && scopes[series.team].title, `Chair ${series.chair.displayName}`]
              .filter(Boolean)
              .join(' · ')}
          </p>
        </div>
        {series.link && (
          <a className={classes.join} href={series.link} target="_blank" rel="noopener nofollow">
            Join the meeting
          </a>
        )}
      </div>
    </Panel>
  );
}
