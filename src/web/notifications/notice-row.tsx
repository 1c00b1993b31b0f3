import { ActionIcon } from '@mantine/core';
import {
  IconAt,
  IconClockHour4,
  IconGavel,
  IconHourglass,
  IconKey,
  IconMail,
  IconMailOpened,
  IconMessageQuestion,
  IconMessageReply,
  IconShieldLock,
  IconUserCheck,
  IconUserQuestion,
} from '@tabler/icons-react';
import type { NoticeKind } from '#core/notifications/notices.ts';
import { config } from '#web/api/config.ts';
import { Age } from '#web/ui/age.tsx';
import { Writes } from '#web/ui/writes.tsx';
import classes from './notice-list.module.css';
import type { Notice } from './notice-queries.ts';

const icons: Record<NoticeKind, typeof IconAt> = {
  waiting: IconHourglass,
  decided: IconGavel,
  mentioned: IconAt,
  boundary: IconClockHour4,
  asked: IconMessageQuestion,
  answered: IconMessageReply,
  roleAsked: IconUserQuestion,
  approvee: IconUserCheck,
  access: IconKey,
  accountChanged: IconShieldLock,
};

type Props = {
  readonly notice: Notice;
  readonly onOpen: (notice: Notice) => void;
  readonly onMark: (notice: Notice) => void;
};

export function NoticeRow({ notice, onOpen, onMark }: Props) {
  const { kind, sentence, detail, path, at, read } = notice;
  const Icon = icons[kind];
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
