import { ActionIcon } from '@mantine/core';
import { IconMenu2, IconMoon, IconSearch, IconSun } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { callAccess, callRefusal } from '#core/access/call-access.ts';
import { formatInstant } from '#core/base/day-words.ts';
import { config } from '#web/api/config.ts';
import { type Timer, timerQuery, useOtherTabsTimer } from '#web/api/timer.ts';
import { useViewer } from '#web/api/viewer.ts';
import { clock, timeLeft, useElapsed, useNow } from '#web/ui/age.tsx';
import { chooseTheme, useIsDark } from '#web/ui/appearance.ts';
import { Kbd } from '#web/ui/kbd.tsx';
import { LazyPart, lazyPart } from '#web/ui/lazy-part.tsx';
import { fetchedAhead } from '#web/ui/load-ahead.ts';
import { modifierName } from '#web/ui/shortcuts.ts';
import { AccountFace } from './account-face.tsx';
import { Logo } from './logo.tsx';
import { openPalette } from './open-dialog.ts';
import { useCurrentSprint } from './shell-queries.ts';
import classes from './top-bar.module.css';

type Props = {
  /** Null while the drawer is fixed and can't be toggled. */
  readonly onToggleDrawer: (() => void) | null;
  readonly drawerOpen: boolean;
  readonly bell: ReactNode;
};

export function TopBar({ onToggleDrawer, drawerOpen, bell }: Props) {
  return (
    <header className={classes.bar}>
      {onToggleDrawer && (
        <ActionIcon onClick={onToggleDrawer} aria-label="Navigation" aria-expanded={drawerOpen} aria-keyshortcuts="[">
          <IconMenu2 size={18} stroke={1.7} />
        </ActionIcon>
      )}
      <Logo />
      <EnvironmentBadge />
      <SprintLeft />
      <div className={classes.end}>
        <RunningTimer />
        <SearchButton />
        <ThemeToggle />
        {bell}
        <AccountButton />
      </div>
    </header>
  );
}

/** Marks a test environment, so nobody mistakes it for production (D2). */
function EnvironmentBadge() {
  const { appEnv } = config();
  return appEnv === 'production' ? null : <span className={classes.environment}>{appEnv}</span>;
}

function SprintLeft() {
  const sprint = useCurrentSprint();
  const now = useNow();
  if (!sprint) return null;
  const left = timeLeft(sprint.endDate, now);
  return (
    <p className={classes.sprint} title={`Ends ${formatInstant(sprint.endDate, config().companyTimeZone)}`}>
      <span className={classes.week}>
        <span className={classes.sprintWord}>Sprint </span>
        {sprint.name}
      </span>
      {left && <span className={classes.left}>{left}</span>}
    </p>
  );
}

/** The running timer, as a reminder on every page. */
function RunningTimer() {
  const viewer = useViewer();
  const isOn = config().timeTracker && callRefusal(viewer, callAccess.time) === null;
  const { data: timer } = useQuery({ ...timerQuery, enabled: isOn });
  useOtherTabsTimer();
  return isOn && timer ? <TimerLink timer={timer} /> : null;
}

function TimerLink({ timer: { taskId, title, start } }: { timer: Timer }) {
  const elapsed = clock(useElapsed(start));
  return (
    <Link to="/top-5/tasks" search={{ task: taskId }} className={classes.timer} title={`Timer running: ${title}`}>
      <span className="visually-hidden">Timer running for “{title}”: </span>
      <span role="timer">{elapsed}</span>
    </Link>
  );
}

function SearchButton() {
  return (
    <button type="button" className={classes.search} onClick={openPalette} aria-keyshortcuts="Control+K Meta+K">
      <IconSearch size={16} stroke={1.7} aria-hidden="true" />
      <span className={classes.searchWords}>Search or jump to…</span>
      <span className={classes.searchKey} aria-hidden="true">
        <Kbd>{`${modifierName} K`}</Kbd>
      </span>
    </button>
  );
}

function ThemeToggle() {
  const dark = useIsDark();
  return (
    <ActionIcon
      className={classes.theme}
      onClick={() => chooseTheme(dark ? 'light' : 'dark')}
      aria-label={dark ? 'Use the light theme' : 'Use the dark theme'}
    >
      {dark ? <IconSun size={18} stroke={1.7} /> : <IconMoon size={18} stroke={1.7} />}
    </ActionIcon>
  );
}

const loadAccountMenu = () => import('./account-menu.tsx');
const accountMenuAhead = fetchedAhead(loadAccountMenu);
const AccountMenu = lazyPart(loadAccountMenu, (module) => module.AccountMenu);

/** Few people return from connecting their account, so this message's code is fetched only for them. */
function showEnding(): void {
  if (location.hash === '') return;
  import('./sign-in-ending.ts').then(
    ({ showSignInEnding }) => showSignInEnding(),
    (error: unknown) => console.error('Showing how the sign-in ended failed', error),
  );
}

/** The menu and its positioning are fetched on hover or focus: they would be an eighth of the shell. */
function AccountButton() {
  const [wanted, setWanted] = useState(false);
  useEffect(showEnding, []);
  const closed = (
    <AccountFace aria-haspopup="menu" aria-expanded={false} {...accountMenuAhead} onClick={() => setWanted(true)} />
  );
  if (!wanted) return closed;
  return (
    <LazyPart fallback={closed} attempt={wanted} onFail={() => setWanted(false)}>
      <AccountMenu />
    </LazyPart>
  );
}
