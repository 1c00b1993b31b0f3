import { ActionIcon, Button, Popover } from '@mantine/core';
import {
  IconAt,
  IconBell,
  IconCalendarCheck,
  IconCalendarEvent,
  IconCalendarOff,
  IconClipboardPlus,
  IconClockHour4,
  IconGavel,
  IconHourglass,
  IconHourglassHigh,
  IconKey,
  IconMail,
  IconMailOpened,
  IconMessageQuestion,
  IconMessageReply,
  IconNote,
  IconShieldLock,
  IconUserCheck,
  IconUserPlus,
  IconUserQuestion,
  IconUserShare,
} from '@tabler/icons-react';
import { useRouter } from '@tanstack/react-router';
import { type KeyboardEvent, type ReactNode, useId } from 'react';
import { dayInZone, dayWords, weekdayOf } from '#core/base/day-words.ts';
import type { NoticeKind } from '#core/notifications/notices.ts';
import { asApiError } from '#web/api/api-error.ts';
import { config } from '#web/api/config.ts';
import { useList } from '#web/api/list-query.ts';
import { openNoticeChoices } from '#web/shell/open-dialog.ts';
import { Age, useNow } from '#web/ui/age.tsx';
import { useBackCloses } from '#web/ui/back-closes.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { MoreButton, type MorePages } from '#web/ui/more-button.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import { Loading, SkeletonRows } from '#web/ui/skeleton.tsx';
import { useReadOnly, Writes } from '#web/ui/writes.tsx';
import classes from './notice-list.module.css';
import { type Notice, noticesQuery, useMarkNotices, useSeen } from './notice-queries.ts';

/** A server of a newer version has kinds that this page doesn't know. */
const icons: Partial<Record<string, typeof IconAt>> = {
  waiting: IconHourglass,
  handedOver: IconHourglassHigh,
  decided: IconGavel,
  assigned: IconClipboardPlus,
  noted: IconNote,
  mentioned: IconAt,
  recap: IconCalendarCheck,
  boundary: IconClockHour4,
  meeting: IconCalendarEvent,
  asked: IconMessageQuestion,
  answered: IconMessageReply,
  roleAsked: IconUserQuestion,
  roleAnswered: IconUserPlus,
  approvee: IconUserCheck,
  delegate: IconUserShare,
  absence: IconCalendarOff,
  access: IconKey,
  accountChanged: IconShieldLock,
} satisfies Record<NoticeKind, typeof IconAt>;

type NoticeRowProps = {
  readonly notice: Notice;
  readonly onOpen: (notice: Notice) => void;
  readonly onMark: (notice: Notice) => void;
};

export function NoticeRow({ notice, onOpen, onMark }: NoticeRowProps) {
  const { kind, sentence, detail, path, at, read } = notice;
  const Icon = icons[kind] ?? IconBell;
  return (
    <li className={classes.row} data-unread={!read || undefined}>
      <Icon size={17} stroke={1.7} className={classes.icon} aria-hidden="true" />
      <a
        href={path}
        className={classes.link}
        onClick={(event) => {
          // Opening another tab is up to the browser.
          if (event.ctrlKey || event.metaKey || event.shiftKey) return;
          event.preventDefault();
          onOpen(notice);
        }}
      >
        {!read && <span className="visually-hidden">Unread: </span>}
        <span className={classes.sentence}>{sentence}</span>
        {detail && <span className={classes.detail}>{detail}</span>}
        <span className={classes.when}>
          <Age instant={at} zone={config().companyTimeZone} ago />
        </span>
      </a>
      <span className={classes.dot} aria-hidden="true" />
      <Writes>
        <ActionIcon
          size={28}
          className={classes.mark ?? ''}
          aria-label={read ? `Mark as unread: ${sentence}` : `Mark as read: ${sentence}`}
          title={read ? 'Mark as unread' : 'Mark as read'}
          onClick={() => onMark(notice)}
        >
          {read ? <IconMail size={16} stroke={1.7} /> : <IconMailOpened size={16} stroke={1.7} />}
        </ActionIcon>
      </Writes>
    </li>
  );
}

type Props = {
  readonly unread: number;
  readonly onClose: () => void;
  /** The bell that the list is attached to. */
  readonly children: ReactNode;
};

/** The notifications, newest first by day. Modal, so the page's keys are off while it is open. */
export function NoticeList({ unread, onClose, children }: Props) {
  const titleId = useId();
  useBackCloses(true, onClose);
  return (
    <Popover
      opened
      onChange={(opened) => !opened && onClose()}
      onDismiss={onClose}
      position="bottom-end"
      width={400}
      trapFocus
      returnFocus
      withinPortal={false}
    >
      <Popover.Target>{children}</Popover.Target>
      <Popover.Dropdown
        className={classes.sheet ?? ''}
        aria-modal="true"
        aria-labelledby={titleId}
        onKeyDown={moveFocus}
      >
        <Sheet titleId={titleId} unread={unread} onClose={onClose} />
      </Popover.Dropdown>
    </Popover>
  );
}

type SheetProps = Pick<Props, 'unread' | 'onClose'> & { readonly titleId: string };

function Sheet({ titleId, unread, onClose }: SheetProps) {
  const { query, items: notices, more } = useList(noticesQuery);
  useSeen(notices);
  const { mark, markAll, isMarkingAll } = useMarkNotices();
  const router = useRouter();
  const readOnly = useReadOnly() !== null;
  const open = (notice: Notice) => {
    if (!notice.read && !readOnly) mark({ ids: [notice.id], read: true });
    onClose();
    router.history.push(notice.path);
  };
  const newest = notices[0];
  return (
    <>
      <div className={classes.head}>
        <h2 id={titleId} className={classes.title} tabIndex={-1} data-autofocus>
          Notifications
        </h2>
        {newest && unread > 0 && (
          <Writes>
            <Button variant="subtle" size="compact-sm" loading={isMarkingAll} onClick={() => markAll(newest.id)}>
              Mark all as read
            </Button>
          </Writes>
        )}
      </div>
      <Loading loading={query.isPending} skeleton={<SkeletonRows rows={4} />}>
        {query.error && !query.data ? (
          <PanelError
            sentence="Couldn’t load notifications."
            requestId={asApiError(query.error).requestId}
            onRetry={() => void query.refetch()}
          />
        ) : (
          <Days
            notices={notices}
            onOpen={open}
            onMark={({ id, read }) => mark({ ids: [id], read: !read })}
            more={more}
          />
        )}
      </Loading>
      <div className={classes.foot}>
        <Button variant="subtle" size="compact-sm" onClick={openNoticeChoices}>
          Notification settings
        </Button>
      </div>
    </>
  );
}

type DaysProps = {
  readonly notices: readonly Notice[];
  readonly onOpen: (notice: Notice) => void;
  readonly onMark: (notice: Notice) => void;
  readonly more: MorePages;
};

function Days({ notices, onOpen, onMark, more }: DaysProps) {
  const zone = config().companyTimeZone;
  const today = dayInZone(new Date(useNow()).toISOString(), zone);
  if (notices.length === 0)
    return (
      <EmptyState title="No notifications yet">
        You’ll see decisions on your tasks, mentions and tasks waiting for you.
      </EmptyState>
    );
  return (
    <div className={classes.days}>
      {groupByDay(notices, today, zone).map(({ name, notices: ofDay }) => (
        <section key={name}>
          <h3 className={classes.day}>{name}</h3>
          <ul className={classes.rows}>
            {ofDay.map((notice) => (
              <NoticeRow key={notice.id} notice={notice} onOpen={onOpen} onMark={onMark} />
            ))}
          </ul>
        </section>
      ))}
      <MoreButton more={more} className={classes.more} />
    </div>
  );
}

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1 };

/** From the list's current focus; a link handles Enter itself. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = steps[event.key];
  if (step === undefined) return;
  event.preventDefault();
  const links = [...event.currentTarget.querySelectorAll<HTMLAnchorElement>('li a')];
  const here = document.activeElement?.closest('li')?.querySelector('a');
  links[here ? links.indexOf(here) + step : 0]?.focus();
}

const dayMs = 86_400_000;

function nameOf(day: string, today: string): string {
  const passed = Math.round((Date.parse(today) - Date.parse(day)) / dayMs);
  if (passed === 0) return 'Today';
  if (passed === 1) return 'Yesterday';
  return `${weekdayOf(day)} ${dayWords(day)}`;
}

/** Groups notifications by day in company time, keeping their order. */
export function groupByDay<Item extends { readonly at: string }>(
  items: readonly Item[],
  today: string,
  zone: string,
): { readonly name: string; readonly notices: readonly Item[] }[] {
  const days = Map.groupBy(items, ({ at }) => dayInZone(at, zone));
  return [...days].map(([day, notices]) => ({ name: nameOf(day, today), notices }));
}
