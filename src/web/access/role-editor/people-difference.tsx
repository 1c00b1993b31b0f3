import { useState } from 'react';
import { plural } from '#core/base/formats.ts';
import { titleOf } from '#web/shell/page-title.ts';
import classes from './difference-dialog.module.css';
import type { Difference, DifferenceGroup } from './role-queries.ts';

/** The title of the page that an address leads to. */
function titleAt(address: string): string {
  const { pathname, searchParams } = new URL(address, location.href);
  return titleOf(pathname, searchParams.get('product') ?? undefined);
}

const peopleInWords = (count: number): string => plural(count, 'person', 'people');

/** Who gains or loses which page: first the counts by page, then the people, grouped by the same changes. */
export function PeopleDifference({ difference: { roles, pages, groups } }: { difference: Difference }) {
  const shutOut = groups.filter((group) => group.shutOut).reduce((sum, group) => sum + group.people.length, 0);
  if (groups.length === 0)
    return (
      <p className={classes.none}>
        {roles.some(({ people }) => people > 0)
          ? 'No one gains or loses access to a page.'
          : 'No active people have these roles, so no access changes.'}
      </p>
    );
  return (
    <>
      {shutOut > 0 && (
        <p className={classes.shutOut} role="alert">
          {peopleInWords(shutOut)} can no longer use the application at all.
        </p>
      )}
      {pages.length > 0 && (
        <table className={classes.pages}>
          <caption className="visually-hidden">How many people gain or lose each page</caption>
          <thead>
            <tr>
              <th scope="col">Page</th>
              <th scope="col">Gain access</th>
              <th scope="col">Lose access</th>
            </tr>
          </thead>
          <tbody>
            {pages.map(({ address, title, gained, lost }) => (
              <tr key={address}>
                <th scope="row">{title}</th>
                <td data-sign={gained > 0 ? '+' : undefined}>{gained > 0 ? `+${gained}` : '–'}</td>
                <td data-sign={lost > 0 ? '−' : undefined}>{lost > 0 ? `−${lost}` : '–'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <h3 className={classes.heading}>People affected</h3>
      <ul className={classes.groups}>
        {sameLines(groups).map((same) => (
          <Group key={same[0].people[0]?.id} same={same} />
        ))}
      </ul>
    </>
  );
}

type Same = readonly [DifferenceGroup, ...DifferenceGroup[]];

/** Groups that differ only in their landing page share one line. */
function sameLines(groups: Difference['groups']): Same[] {
  const effect = ({ gained, lost, shutOut, landing }: DifferenceGroup) =>
    JSON.stringify([gained, lost, shutOut, gained.length + lost.length === 0 && landing]);
  return [...Map.groupBy(groups, effect).values()].map((same) => same as [DifferenceGroup, ...DifferenceGroup[]]);
}

function Group({ same }: { same: Same }) {
  const [{ gained, lost, landing, shutOut }] = same;
  const count = same.reduce((sum, { people }) => sum + people.length, 0);
  const [open, setOpen] = useState(count <= 5);
  const one = count === 1;
  const titles = (list: DifferenceGroup['gained']) => list.map(({ title }) => title).join(', ');
  return (
    <li>
      <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <strong>{peopleInWords(count)}</strong>
          {gained.length > 0 && (
            <span>
              {' '}
              {one ? 'gains' : 'gain'} {titles(gained)}
            </span>
          )}
          {lost.length > 0 && (
            <span>
              {' '}
              {one ? 'loses' : 'lose'} {shutOut ? 'everything' : titles(lost)}
            </span>
          )}
          {gained.length + lost.length === 0 && landing && <span> {one ? 'lands' : 'land'} on a different page</span>}
        </summary>
        {open && same.map((group) => <People key={group.people[0]?.id} group={group} />)}
      </details>
    </li>
  );
}

function People({ group: { people, landing, shutOut } }: { group: DifferenceGroup }) {
  return (
    <p className={classes.people}>
      {people.map(({ displayName }) => displayName).join(', ')}
      {landing && !shutOut && (
        <span className={classes.landing}>
          Landing page: {titleAt(landing.from)} → {titleAt(landing.to)}
        </span>
      )}
    </p>
  );
}
