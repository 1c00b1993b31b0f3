// Changes made by others: one WebSocket for the page (graphql-transport-ws), with polling while it is down.
import { useEffect, useRef } from 'react';
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

/** A change of one task, or null: something may have changed meanwhile, read again. */
export type LiveListener = (change: TaskChange | null) => void;

const firstWaitMs = 1_000;
const longestWaitMs = 30_000;
const pollMs = 30_000;
/** Who may not use the application hears nothing at all: so often they ask whether they may by now. */
const refusedMs = 10_000;

const listeners = new Set<LiveListener>();
const noticeListeners = new Set<() => void>();
let socket: WebSocket | null = null;
let attempts = 0;
let reconnectTimer = 0;
let pollTimer = 0;
let refusedTimer = 0;

const tell = (change: TaskChange | null) => {
  for (const listener of listeners) listener(change);
  if (change === null) tellOfNotices();
};

const tellOfNotices = () => {
  for (const listener of noticeListeners) listener();
};

function address(): string {
  const url = new URL(`${config().top5ServerUrl}/graphql`, location.href);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  return url.href;
}

function connect(): void {
  // A socket would hear what concerns who looks, not whom they look as.
  if (isViewing()) {
    pollTimer = window.setInterval(() => tell(null), pollMs);
    return;
  }
  const opened = new WebSocket(address(), 'graphql-transport-ws');
  socket = opened;
  opened.onopen = () => say({ type: 'connection_init', payload: { authorization: `Bearer ${readToken() ?? ''}` } });
  opened.onmessage = ({ data }) => hear(JSON.parse(String(data)) as Message);
  opened.onclose = () => {
    if (socket === opened) retryLater();
  };
}

type Message = {
  type: string;
  id?: string;
  payload?: { data?: { taskChanged?: TaskChange; noticesChanged?: boolean } };
};

function subscribe(id: string, document: object): void {
  say({ id, type: 'subscribe', payload: { query: textOf(document) } });
}

/** Who keeps and decides no tasks hears of notices alone. */
const isForbidden = ({ payload }: Message): boolean =>
  Array.isArray(payload) && payload[0]?.extensions?.code === 'FORBIDDEN';

function say(message: object): void {
  socket?.send(JSON.stringify(message));
}

function hear(message: Message): void {
  if (message.type === 'ping') say({ type: 'pong' });
  if (message.type === 'connection_ack') {
    clearInterval(pollTimer);
    clearTimeout(refusedTimer);
    subscribe('tasks', taskChanged);
    subscribe('notices', noticesChanged);
    // What happened between two connections was never told.
    if (attempts > 0) tell(null);
    attempts = 0;
  }
  const change = message.payload?.data?.taskChanged;
  if (message.type === 'next' && change) tell(change);
  if (message.type === 'next' && message.payload?.data?.noticesChanged) tellOfNotices();
  if (message.type === 'error' && message.id === 'notices' && isForbidden(message)) {
    clearTimeout(refusedTimer);
    refusedTimer = window.setTimeout(() => socket?.close(), refusedMs);
  }
  // The server ended the subscription, as it does with the session: a new connection brings the new token.
  if ((message.type === 'error' && !isForbidden(message)) || message.type === 'complete') socket?.close();
}

function retryLater(): void {
  socket = null;
  clearInterval(pollTimer);
  pollTimer = window.setInterval(() => tell(null), pollMs);
  // Some chance in the wait, so that a restarted server does not meet everybody at once.
  const wait = Math.min(firstWaitMs * 2 ** attempts, longestWaitMs) * (0.5 + Math.random() / 2);
  attempts += 1;
  clearTimeout(reconnectTimer);
  reconnectTimer = window.setTimeout(connect, wait);
}

function stop(): void {
  const open = socket;
  socket = null;
  attempts = 0;
  clearTimeout(reconnectTimer);
  clearInterval(pollTimer);
  clearTimeout(refusedTimer);
  open?.close();
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

/** Calls back at every change of a task that the viewer may see, by anybody, for as long as the caller is mounted. */
export function useLive(listener: LiveListener): void {
  useListener(listeners, listener);
}

/** Calls back when the viewer's notices are not what they were, or may not be. */
export function useLiveNotices(listener: () => void): void {
  useListener(noticeListeners, listener);
}
