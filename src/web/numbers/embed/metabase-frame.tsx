import { useEffect, useRef, useState } from 'react';
import { useIsDark } from '#web/ui/appearance.ts';
import classes from './metabase-frame.module.css';

type Props = {
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
export function MetabaseFrame({ title, url }: Props) {
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
