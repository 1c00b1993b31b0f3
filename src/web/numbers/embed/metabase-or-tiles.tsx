import { Button } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { embedSeconds } from '#core/numbers/dashboard-embed.ts';
import { asApiError } from '#web/api/api-error.ts';
import { graphql, type ResultOf } from '#web/api/graphql.ts';
import { request } from '#web/api/request.ts';
import { useIsDark } from '#web/ui/appearance.ts';
import { Panel } from '#web/ui/panel.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import classes from './metabase-or-tiles.module.css';

type Props = {
  /** A product's or cause's key; null for a page without an external dashboard. */
  readonly resource: string | null;
  /** The frame's title for screen readers. */
  readonly title: string;
  readonly tiles: ReactNode;
};

/**
 * The dashboard by the settings: framed from Metabase, or the built-in tiles, which also replace an
 * unavailable frame (D30).
 */
export function MetabaseOrTiles({ resource, title, tiles }: Props) {
  return resource === null ? tiles : <Chosen key={resource} resource={resource} title={title} tiles={tiles} />;
}

function Chosen({ resource, title, tiles }: Props & { readonly resource: string }) {
  const { data, error, dataUpdatedAt, refetch } = useQuery(embedQuery(resource));
  if (error && asApiError(error).code === 'FORBIDDEN') return <NotPermitted />;
  const reason = data ? reasonOf(data, error !== null && Date.now() >= endOf(data, dataUpdatedAt)) : null;
  if (reason !== null)
    return (
      <>
        <FallbackNotice reason={reason} onRetry={() => void refetch()} />
        {tiles}
      </>
    );
  // While the answer loads, and when it fails, shows the tiles, which most dashboards use.
  return data?.url ? <MetabaseFrame title={title} url={data.url} /> : tiles;
}

/** Whether the page is a Metabase frame, which has its own filters and periods. */
export function useIsFramed(resource: string | null): boolean {
  const { data, error, dataUpdatedAt } = useQuery({ ...embedQuery(resource ?? ''), enabled: resource !== null });
  if (error && asApiError(error).code === 'FORBIDDEN') return false;
  return data?.url != null && reasonOf(data, error !== null && Date.now() >= endOf(data, dataUpdatedAt)) === null;
}

function reasonOf(embed: Embed, isExpired: boolean): 'notConfigured' | 'notReachable' | 'expired' | null {
  if (embed.kind === 'builtin') return null;
  if (embed.state !== 'ready') return embed.state;
  return isExpired ? 'expired' : null;
}

function NotPermitted() {
  return (
    <Panel>
      <PanelError sentence="You can open this page but not see these numbers. Ask an admin." />
    </Panel>
  );
}

const fallbackSentences = {
  notConfigured: 'Metabase isn’t set up on this server, so you see the built-in tiles.',
  notReachable: 'Metabase isn’t responding, so you see the built-in tiles.',
  expired: 'The Metabase session expired, so you see the built-in tiles.',
} as const;

type FallbackNoticeProps = { readonly reason: keyof typeof fallbackSentences; readonly onRetry: () => void };

/** One line above the tiles: what is unavailable, and what is shown instead. */
function FallbackNotice({ reason, onRetry }: FallbackNoticeProps) {
  return (
    <div className={classes.notice} role="status">
      <p>{fallbackSentences[reason]}</p>
      {reason !== 'notConfigured' && (
        <Button variant="default" onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  );
}

type MetabaseFrameProps = {
  readonly title: string;
  /** Signed; changes when renewed. */
  readonly url: string;
};

/** Longer ones aren't filters a person chose. */
const longestSearch = 4_000;

/** The filters are part of the frame's address, which a cross-origin frame only reports by message. */
function readSearch(data: unknown): string | null {
  const search = (data as { metabase?: { type?: unknown; location?: { search?: unknown } } } | null)?.metabase?.location
    ?.search;
  return typeof search === 'string' && search.length <= longestSearch && /^(\?|$)/.test(search) ? search : null;
}

/** The dashboard's frame. When the signature is renewed or the colors change, it reloads with its filters. */
function MetabaseFrame({ title, url }: MetabaseFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const search = useRef('');
  const isDark = useIsDark();
  const look = `bordered=false&titled=false&theme=${isDark ? 'night' : 'light'}`;
  const [src, setSrc] = useState(`${url}#${look}`);

  useEffect(() => {
    setSrc(`${url}${search.current}#${look}`);
  }, [url, look]);

  useEffect(() => {
    const { origin } = new URL(url);
    const listen = (event: MessageEvent) => {
      if (event.origin !== origin || event.source !== frame.current?.contentWindow) return;
      search.current = readSearch(event.data) ?? search.current;
    };
    window.addEventListener('message', listen);
    return () => window.removeEventListener('message', listen);
  }, [url]);

  return (
    <iframe
      ref={frame}
      title={title}
      src={src}
      className={classes.frame}
      sandbox="allow-scripts allow-same-origin allow-forms allow-popups allow-downloads"
      referrerPolicy="origin"
    />
  );
}

const embedDocument = graphql(`
  query DashboardEmbed($resource: String!) {
    dashboardEmbed(resource: $resource) {
      kind
      state
      url
      goodFor
    }
  }
`);

type Embed = ResultOf<typeof embedDocument>['dashboardEmbed'];

/** How long an answer without an address is kept: the setting may change, or the tool may recover. */
const settledMs = 30_000;
/** After a failed renewal. */
const tryAgainMs = 15_000;

/** Counted from the answer, so this computer's wrong clock doesn't matter. */
const endOf = (embed: Embed, askedAt: number): number =>
  askedAt + (embed.goodFor === null ? Number.POSITIVE_INFINITY : embed.goodFor * 1_000);

function holdsMs(embed: Embed | undefined): number {
  if (!embed) return 0;
  return embed.goodFor === null ? settledMs : (embed.goodFor - embedSeconds.renewBefore) * 1_000;
}

/**
 * A dashboard's signed address, renewed before it expires. Stale a minute before the end, and requested again
 * then. A hidden tab requests nothing; when it becomes visible, a stale answer is renewed.
 */
const embedQuery = (resource: string) =>
  queryOptions<Embed>({
    queryKey: ['embed', resource],
    queryFn: async ({ signal }) => (await request(embedDocument, { resource }, { signal })).dashboardEmbed,
    staleTime: ({ state }) => holdsMs(state.data),
    refetchOnWindowFocus: true,
    // Retried by the interval, to detect failures and show when the address expires.
    retry: false,
    refetchInterval: ({ state: { data, dataUpdatedAt, error } }) => {
      if (error) return asApiError(error).code === 'FORBIDDEN' ? false : tryAgainMs;
      if (!data || data.kind === 'builtin') return false;
      return Math.max(1_000, dataUpdatedAt + holdsMs(data) - Date.now());
    },
    // A signed address gives access to anyone who has it: it must not outlive the page.
    gcTime: 0,
  });
