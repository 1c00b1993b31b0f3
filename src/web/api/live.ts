// Changes by others: one WebSocket per page, with polling while it is down.
import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { type Client, createClient } from 'graphql-ws';
import { useEffect, useRef, useState } from 'react';
import type { RefusalCode } from '#core/base/refusals.ts';
import { config } from './config.ts';
import { graphql, type ResultOf, textOf } from './graphql.ts';
import { readToken } from './session.ts';
import { isViewing } from './viewing-tab.ts';

const taskChanged = graphql(`
  subscription TaskChanged {
    taskChanged {
      taskId
      sprintId
      userId
      version
      actorId
      event
    }
  }
`);

const noticesChanged = graphql(`
  subscription NoticesChanged {
    noticesChanged
  }
`);

export type TaskChange = ResultOf<typeof taskChanged>['taskChanged'];

/** A change of one task, or null for a possible gap: read again. */
export type LiveListener = (change: TaskChange | null) => void;

const firstWaitMs = 1_000;
const longestWaitMs = 30_000;
const pollMs = 30_000;
/** A page reads again when its first connection took longer: reading always twice would double its cost. */
const slowMs = 1_000;
/** People without access to the application receive nothing: how often to ask again. */
const refusedMs = 10_000;

const listeners = new Set<LiveListener>();
const noticeListeners = new Set<() => void>();
let client: Client | null = null;
let attempts = 0;
let reconnectTimer = 0;
let pollTimer = 0;

const tell = (change: TaskChange | null) => {
  for (const listener of listeners) listener(change);
  if (change === null) notifyNoticeListeners();
};

const notifyNoticeListeners = () => {
  for (const listener of noticeListeners) listener();
};

function address(): string {
  const url = new URL(`${config().top5ServerUrl}/graphql`, location.href);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  return url.href;
}

function connect(): void {
  // A socket would receive the signed-in person's changes, not those of the person they view as.
  if (isViewing()) {
    pollTimer = window.setInterval(() => tell(null), pollMs);
    return;
  }
  const begun = performance.now();
  const opened = createClient({
    url: address(),
    connectionParams: { authorization: `Bearer ${readToken() ?? ''}` },
    // A new client for each connection: it has the newest token, and asks again for what was refused.
    retryAttempts: 0,
    lazyCloseTimeout: refusedMs,
    on: {
      connected: () => {
        clearInterval(pollTimer);
        // Changes between two connections were missed, or since the page's first read.
        if (attempts > 0 || performance.now() - begun > slowMs) tell(null);
        attempts = 0;
      },
      closed: () => {
        if (client === opened) retryLater();
      },
    },
  });
  client = opened;
  subscribe(opened, taskChanged, (data) => tell(data.taskChanged));
  subscribe(opened, noticesChanged, notifyNoticeListeners);
}

/** People without tasks only receive notifications. Any other end of a subscription ends the connection. */
function subscribe<Doc extends object>(to: Client, document: Doc, hear: (data: ResultOf<Doc>) => void): void {
  to.subscribe<ResultOf<Doc>>(
    { query: textOf(document) },
    {
      next: ({ data }) => data && hear(data),
      error: (cause) => isForbidden(cause) || to.terminate(),
      complete: () => to.terminate(),
    },
  );
}

const isForbidden = (cause: unknown): boolean =>
  Array.isArray(cause) && cause[0]?.extensions?.code === ('FORBIDDEN' satisfies RefusalCode);

function retryLater(): void {
  client = null;
  clearInterval(pollTimer);
  pollTimer = window.setInterval(() => tell(null), pollMs);
  // A random part in the delay keeps clients from reconnecting all at once.
  const wait = Math.min(firstWaitMs * 2 ** attempts, longestWaitMs) * (0.5 + Math.random() / 2);
  attempts += 1;
  clearTimeout(reconnectTimer);
  reconnectTimer = window.setTimeout(connect, wait);
}

function stop(): void {
  const open = client;
  client = null;
  attempts = 0;
  clearTimeout(reconnectTimer);
  clearInterval(pollTimer);
  open?.terminate();
}

function useListener<Listener extends (...told: never[]) => void>(set: Set<Listener>, listener: Listener): void {
  const latest = useRef(listener);
  latest.current = listener;
  useEffect(() => {
    const called = ((...told) => latest.current(...told)) as Listener;
    if (listeners.size + noticeListeners.size === 0) connect();
    set.add(called);
    return () => {
      set.delete(called);
      if (listeners.size + noticeListeners.size === 0) stop();
    };
  }, [set]);
}

/** Calls back at every change of a visible task, by anyone, while the caller is mounted. */
export function useLive(listener: LiveListener): void {
  useListener(listeners, listener);
}

/** Calls back when the viewer's notifications may have changed. */
export function useLiveNotices(listener: () => void): void {
  useListener(noticeListeners, listener);
}

const pauseMs = 2_000;

/** Later, a read is given up for the next one: on a line that broke, it may never end. */
const longestReadMs = 15_000;

/**
 * Reads at once, then with pauses while changes come, and again after the last one. `isStuck`: the read
 * before got no answer.
 */
export function pausedReads(read: (isStuck: boolean) => Promise<unknown>) {
  let isStuck = false;
  let isBusy = false;
  let isWanted = false;
  let timer = 0;
  const start = async () => {
    isBusy = true;
    isWanted = false;
    const answer = read(isStuck).then(() => true);
    const limit = new Promise<boolean>((resolve) => setTimeout(resolve, longestReadMs, false));
    isStuck = !(await Promise.race([answer, limit]));
    timer = window.setTimeout(end, pauseMs);
  };
  const end = () => {
    isBusy = false;
    if (isWanted) void start();
  };
  return {
    want: () => {
      if (isBusy) isWanted = true;
      else void start();
    },
    stop: () => {
      clearTimeout(timer);
      end();
    },
  };
}

/**
 * Reads these queries again after a change, for what any change may concern: admins hear every change of the
 * company. A read under way isn't canceled: while changes come faster than answers, none would arrive.
 */
export function useReadAgain(...queryKeys: readonly QueryKey[]): () => void {
  const client = useQueryClient();
  const [reads] = useState(() => {
    const own = pausedReads(async (isStuck) => {
      // It may have begun before the change.
      if (!isStuck && queryKeys.some((queryKey) => client.isFetching({ queryKey }) > 0)) own.want();
      const options = { cancelRefetch: isStuck };
      await Promise.all(queryKeys.map((queryKey) => client.invalidateQueries({ queryKey }, options)));
    });
    return own;
  });
  useEffect(() => reads.stop, [reads]);
  return reads.want;
}
