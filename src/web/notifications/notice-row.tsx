import { ActionIcon } from '@mantine/core';
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
import type { NoticeKind } from '#core/notifications/notices.ts';
import { config } from '#web/api/config.ts';
import { Age } from '#web/ui/age.tsx';
import { Writes } from '#web/ui/writes.tsx';
import classes from './notice-list.module.css';
import type { Notice } from './notice-queries.ts';

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

type Props = {
  readonly notice: Notice;
  readonly onOpen: (notice: Notice) => void;
  readonly onMark: (notice: Notice) => void;
};

export function NoticeRow({ notice, onOpen, onMark }: Props) {
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
