import { eventsPerPage } from '#core/access/account-inputs.ts';
import { instantWithYear } from '#core/base/day-words.ts';
import { config } from '#web/api/config.ts';
import { graphql, type ResultOf } from '#web/api/graphql.ts';
import { fullPage, listQuery, useList } from '#web/api/list-query.ts';
import { request } from '#web/api/request.ts';
import { MoreButton } from '#web/ui/more-button.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import { Loading, SkeletonRows } from '#web/ui/skeleton.tsx';
import classes from './account-page.module.css';

const eventsDocument = graphql(`
  query AccountEvents($before: ID, $limit: Int) {
    accountEvents(before: $before, limit: $limit) { id at kind words device address how by }
  }
`);

type AccountEvent = ResultOf<typeof eventsDocument>['accountEvents'][number];

/** Few at first; a button shows the rest. */
const shownFirst = 5;

const eventsQuery = listQuery({
  queryKey: ['account', 'events'],
  read: async (before, signal) => {
    const limit = before === null ? shownFirst : eventsPerPage;
    const { accountEvents } = await request(eventsDocument, { before, limit }, { signal });
    return fullPage(accountEvents, limit, ({ id }) => id);
  },
});

/** The account's log, newest first. */
export function Activity() {
  const { query, items, more } = useList(eventsQuery);
  const { data, error, isPending, refetch } = query;
  return (
    <Panel title="Security activity">
      {error && !data ? (
        <PanelError
          sentence="Couldn’t load the activity of your account."
          requestId={error.requestId}
          onRetry={() => void refetch()}
        />
      ) : (
        <Loading loading={isPending} skeleton={<SkeletonRows rows={shownFirst} />}>
          {items.length === 0 && <p className={classes.quiet}>Nothing yet.</p>}
          <ul className={classes.events} aria-label="Security activity">
            {items.map((event) => (
              <li key={event.id}>
                <p>
                  {event.words}
                  {event.how && ` with ${event.how}`}
                </p>
                <p className={classes.quiet}>{factsOf(event)}</p>
              </li>
            ))}
          </ul>
          <MoreButton more={more} className={classes.more} />
        </Loading>
      )}
    </Panel>
  );
}

function factsOf({ at, device, address, by }: AccountEvent): string {
  const when = instantWithYear(at, config().companyTimeZone);
  if (by !== null) return `By ${by}, ${when}`;
  return [device, address, when].filter(Boolean).join(', ');
}
