import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { asApiError } from '#web/api/api-error.ts';
import { Panel } from '#web/ui/panel.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import { type Embed, embedQuery, endOf } from './embed-query.ts';
import { FallbackNotice } from './fallback-notice.tsx';
import { MetabaseFrame } from './metabase-frame.tsx';

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
      <PanelError sentence="You may open this page, but not read these numbers. Ask whoever edits the roles." />
    </Panel>
  );
}
