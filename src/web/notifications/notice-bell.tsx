import { ActionIcon } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import type { ButtonHTMLAttributes, Ref } from 'react';
import { closeShellDialog, openNotices, useShellDialog } from '#web/shell/open-dialog.ts';
import { useFocusBack } from '#web/ui/focus-back.ts';
import { LazyPart, lazyPart } from '#web/ui/lazy-part.tsx';
import { fetchedAhead } from '#web/ui/load-ahead.ts';
import classes from './notice-bell.module.css';
import { useReadByOpening, useUnreadCount } from './notice-queries.ts';

const load = () => import('./notice-list.tsx');
const ahead = fetchedAhead(load);
const NoticeList = lazyPart(load, (module) => module.NoticeList);

/** The server stops counting at 100. */
const mostShown = 99;

type FaceProps = Pick<ButtonHTMLAttributes<HTMLButtonElement>, 'onPointerEnter' | 'onFocus' | 'onClick'> & {
  readonly unread: number;
  readonly ref?: Ref<HTMLButtonElement>;
};

function BellFace({ unread, ...props }: FaceProps) {
  const count = unread > mostShown ? `${mostShown}+` : String(unread);
  return (
    <ActionIcon
      {...props}
      aria-label={unread === 0 ? 'Notifications' : `Notifications, ${count} unread`}
      aria-haspopup="dialog"
      className={classes.bell ?? ''}
    >
      <IconBell size={18} stroke={1.7} />
      {unread > 0 && (
        <span className={classes.count} aria-hidden="true">
          {count}
        </span>
      )}
    </ActionIcon>
  );
}

/** The list and its positioning are fetched on hover or focus. */
export function NoticeBell() {
  const unread = useUnreadCount();
  useReadByOpening();
  const open = useShellDialog() === 'notices';
  const button = useFocusBack(open);
  const closed = <BellFace ref={button} unread={unread} {...ahead} onClick={openNotices} />;
  if (!open) return closed;
  return (
    <LazyPart fallback={closed} attempt={open} onFail={closeShellDialog}>
      <NoticeList unread={unread} onClose={closeShellDialog}>
        <BellFace unread={unread} />
      </NoticeList>
    </LazyPart>
  );
}
