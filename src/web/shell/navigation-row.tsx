import {
  IconAffiliate,
  IconChartLine,
  IconChecklist,
  IconChevronDown,
  IconChevronRight,
  IconCreditCard,
  IconHeadset,
  IconHeart,
  IconKey,
  IconLogout,
  type IconProps,
  IconTool,
  IconTruckDelivery,
  IconUserCheck,
  IconUsers,
} from '@tabler/icons-react';
import { createLink } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, ComponentType, Ref } from 'react';
import type { IconName, VisibleEntry } from '#core/access/navigation.ts';
import { config } from '#web/api/config.ts';
import classes from './navigation.module.css';

const icons: Record<IconName, ComponentType<IconProps>> = {
  sales: IconChartLine,
  donations: IconHeart,
  affiliate: IconAffiliate,
  start: IconChecklist,
  tools: IconTool,
  service: IconHeadset,
  roles: IconKey,
  distributions: IconTruckDelivery,
  payments: IconCreditCard,
  people: IconUsers,
  approvers: IconUserCheck,
  logout: IconLogout,
};

type AnchorProps = AnchorHTMLAttributes<HTMLAnchorElement> & {
  readonly ref?: Ref<HTMLAnchorElement>;
  readonly here: boolean;
  readonly holdsHere: boolean;
};

/** The router marks every link that is a prefix of the address; here only the open page is current. */
const RowLink = createLink(function Anchor({ here, holdsHere, ...props }: AnchorProps) {
  return (
    <a
      {...props}
      aria-current={here ? 'page' : undefined}
      data-here={here || undefined}
      data-holds={holdsHere || undefined}
    />
  );
});

type Props = {
  readonly entry: VisibleEntry;
  readonly depth: number;
  readonly here: boolean;
  /** Collapsed, with the open page inside. */
  readonly holdsHere: boolean;
  readonly count: number;
  readonly open: boolean;
  readonly onToggle: () => void;
};

export function NavigationRow({ entry, depth, here, holdsHere, count, open, onToggle }: Props) {
  const childrenId = `children-of-${entry.path.slice(1).replaceAll('/', '-')}`;
  const chevron = open ? <IconChevronDown size={16} stroke={1.7} /> : <IconChevronRight size={16} stroke={1.7} />;
  const isGroup = entry.children.length > 0;
  const words = <RowWords entry={entry} depth={depth} count={count} />;
  if (entry.to === null) {
    return (
      <button
        type="button"
        className={classes.row}
        data-holds={holdsHere || undefined}
        aria-expanded={open}
        aria-controls={open ? childrenId : undefined}
        onClick={onToggle}
      >
        {words}
        <span className={classes.chevron}>{chevron}</span>
      </button>
    );
  }
  return (
    <div className={classes.pair}>
      <RowLink
        to={entry.path}
        search={entry.product ? { product: entry.product } : {}}
        className={classes.row}
        here={here}
        holdsHere={holdsHere}
      >
        {words}
      </RowLink>
      {isGroup && (
        <button
          type="button"
          className={classes.toggle}
          aria-expanded={open}
          aria-controls={open ? childrenId : undefined}
          aria-label={`${entry.title} pages`}
          onClick={onToggle}
        >
          {chevron}
        </button>
      )}
    </div>
  );
}

function RowWords({ entry, depth, count }: { entry: VisibleEntry; depth: number; count: number }) {
  const Icon = entry.icon ? icons[entry.icon] : null;
  return (
    <>
      {depth === 0 && Icon && <Icon size={17} stroke={1.7} aria-hidden="true" />}
      <span className={classes.title}>{entry.title}</span>
      {entry.comingSoon && !config().timeTracker && <span className={classes.soon}>Coming Soon</span>}
      {count > 0 && (
        <span className={classes.count}>
          {count}
          <span className="visually-hidden"> waiting for you</span>
        </span>
      )}
    </>
  );
}
