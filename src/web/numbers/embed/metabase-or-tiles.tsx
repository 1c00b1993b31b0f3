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
  /** Key of a product or cause; null for a page that has no dashboard in the external tool. */
  readonly resource: string | null;
  /** What the dashboard is called, for whoever hears the page. */
  readonly title: string;
  readonly tiles: ReactNode;
};

/** The dashboard as the settings want it: framed from Metabase, or the built-in tiles, which also stand in when it cannot be shown (D30). */
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
  // While the answer is on its way, and when it does not come, the tiles are what most dashboards show anyway.
  return data?.url ? <MetabaseFrame title={title} url={data.url} /> : tiles;
}

/** Whether the page is a frame of Metabase now, which has filters and periods of its own. */
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

/** One line above the tiles: what is missing, and what is shown instead. */
function FallbackNotice({ reason, onRetry }: FallbackNoticeProps) {
  return (
    <div className={classes.notice} role="status">
      <p>{fallbackSentences[reason]}</p>
      {reason !== 'notConfigured' && (
        <Button variant="default" onClick={onRetry}>
          Retry
        </Button>
      )}
    </div>
  );
}

type MetabaseFrameProps = {
  readonly title: string;
  /** Signed; another one when it was renewed. */
  readonly url: string;
};

/** Longer ones are no filters that a person chose. */
const longestSearch = 4_000;

/** The filters are part of the frame's own address, and a frame of another origin tells it by message only. */
function readSearch(data: unknown): string | null {
  const search = (data as { metabase?: { type?: unknown; location?: { search?: unknown } } } | null)?.metabase?.location
    ?.search;
  return typeof search === 'string' && search.length <= longestSearch && /^(\?|$)/.test(search) ? search : null;
}

/** The frame with the dashboard. When the signature is renewed or the colours change it loads anew with the filters it had. */
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

/** How long an answer without an address holds: a setting may have changed, or the tool is back. */
const settledMs = 30_000;
/** After a renewal that failed. */
const tryAgainMs = 15_000;

/** Counted from when the answer came, so that a wrong clock of this computer does not matter. */
const endOf = (embed: Embed, askedAt: number): number =>
  askedAt + (embed.goodFor === null ? Number.POSITIVE_INFINITY : embed.goodFor * 1_000);

function holdsMs(embed: Embed | undefined): number {
  if (!embed) return 0;
  return embed.goodFor === null ? settledMs : (embed.goodFor - embedSeconds.renewBefore) * 1_000;
}

/**
 * The signed address of a dashboard, renewed before it runs out. Stale a minute before the end, and asked again then.
 * In a hidden tab nothing is asked; when it is looked at again an answer that is stale by then is renewed.
 */
const embedQuery = (resource: string) =>
  queryOptions<Embed>({
    queryKey: ['embed', resource],
    queryFn: async ({ signal }) => (await request(embedDocument, { resource }, { signal })).dashboardEmbed,
    staleTime: ({ state }) => holdsMs(state.data),
    refetchOnWindowFocus: true,
    // Tried again by the interval, so that a failure is known as one and the end of the address can be told.
    retry: false,
    refetchInterval: ({ state: { data, dataUpdatedAt, error } }) => {
      if (error) return asApiError(error).code === 'FORBIDDEN' ? false : tryAgainMs;
      if (!data || data.kind === 'builtin') return false;
      return Math.max(1_000, dataUpdatedAt + holdsMs(data) - Date.now());
    },
    // A signed address opens the dashboard to whoever has it: it does not outlive the page.
    gcTime: 0,
  });
