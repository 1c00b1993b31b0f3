// The open sockets of this server, and which changes each one receives. Permissions are reread, not
// remembered: every few seconds for all sockets in one statement, and before a change is sent unless they
// were just read.
import { Readable } from 'node:stream';
import { isAdmin } from '#core/access/access.ts';
import { editsRoles } from '#core/access/role-changes.ts';
import { refuse } from '#core/base/refusals.ts';
import { canSeeTasksOf } from '#core/tasks/task.ts';
import type { RequestContext, Services, SignedInPerson } from '../context.ts';
import { RefusalError } from '../graphql/refusal-error.ts';
import { bearerToken, readViewer, readViewers, tokenHash } from '../viewer.ts';
import type { RightsChange, TaskChange } from './live.service.ts';

const recheckMs = 5_000;
/** Permissions read within this time are still valid. */
const freshMs = 1_000;
const socketsOfOnePerson = 20;
const subscriptionsOfOneSocket = 10;
/** A client that stops reading is disconnected, and reads everything again when it reconnects. */
const longestQueue = 500;

/** One socket and its listener. */
export class Audience {
  readonly hash: Buffer;
  viewer: SignedInPerson;
  checkedAt = performance.now();
  readonly #streams = new Map<Readable, 'tasks' | 'notices'>();
  #hangUp = () => {};
  #ended = false;

  constructor(hash: Buffer, viewer: SignedInPerson) {
    this.hash = hash;
    this.viewer = viewer;
  }

  hangsUpBy(hangUp: () => void): void {
    this.#hangUp = hangUp;
    // Ended before it subscribed.
    if (this.#ended) hangUp();
  }

  taskChanges(): Readable {
    return this.#open('tasks');
  }

  /** A signal for each change to the person's notifications; the client then reads them. */
  noticeChanges(): Readable {
    return this.#open('notices');
  }

  #open(about: 'tasks' | 'notices'): Readable {
    if (this.#streams.size >= subscriptionsOfOneSocket) throw new RefusalError(refuse('QUERY_TOO_LARGE'));
    const stream = new Readable({ objectMode: true, read() {} });
    this.#streams.set(stream, about);
    stream.once('close', () => this.#streams.delete(stream));
    return stream;
  }

  mayHear({ userId, approverIds }: TaskChange): boolean {
    return this.#streams.size > 0 && canSeeTasksOf(this.viewer, { id: userId, approverIds });
  }

  /** A delegate sees and decides what the absent approver can. */
  actsForAny(people: ReadonlySet<string>): boolean {
    const { id, delegateOf = [] } = this.viewer;
    return [id, ...delegateOf].some((one) => people.has(one));
  }

  /** People who edit roles see the list of them. */
  isConcernedBy({ roles, personIds }: RightsChange): boolean {
    const { role } = this.viewer;
    return this.actsForAny(new Set(personIds)) || (role !== null && roles.includes(role)) || editsRoles(this.viewer);
  }

  pushTask(change: TaskChange): void {
    this.#push('tasks', change);
  }

  pushNotices(): void {
    this.#push('notices', true);
  }

  #push(about: 'tasks' | 'notices', message: TaskChange | true): void {
    for (const [stream, wants] of this.#streams) {
      if (wants !== about) continue;
      if (stream.readableLength >= longestQueue) {
        this.end();
        return;
      }
      stream.push(message);
    }
  }

  /** Closes the socket. The client reconnects with its newest token and reads its page again. */
  end(): void {
    this.#ended = true;
    for (const stream of this.#streams.keys()) stream.destroy();
    this.#hangUp();
  }
}

export type SocketContext = RequestContext & { readonly audience: Audience };

/** The subscription's socket; queries over HTTP have none. */
export function audienceOf(context: RequestContext): Audience {
  const { audience } = context as Partial<SocketContext>;
  if (!audience) throw new RefusalError(refuse('BAD_REQUEST', 'Subscriptions need a WebSocket'));
  return audience;
}

export class LiveAudiences {
  readonly #services: Services;
  readonly #audiences = new Set<Audience>();
  readonly #timer: NodeJS.Timeout;
  readonly #stopListening: (() => void)[];
  /** Sends one change after the other, to keep their order. */
  #sending: Promise<void> = Promise.resolve();
  /** Sockets of sessions that changed, one check after the other. */
  #checked: Promise<void> = Promise.resolve();

  constructor(services: Services) {
    this.#services = services;
    this.#timer = setInterval(() => void this.#recheckAll(), recheckMs).unref();
    this.#stopListening = [
      services.live.on('taskChanged', (change) => {
        this.#sending = this.#sending
          .then(() => this.#send(change))
          // Clients that missed this change read again; later changes are still sent.
          .catch((error) => {
            services.log.error({ err: error }, 'a change could not be sent');
            this.#endAll();
          });
      }),
      // They can see and decide other tasks now: they reconnect with their new permissions and read again.
      services.live.on('approversChanged', ({ personIds }) => {
        const people = new Set(personIds);
        for (const audience of [...this.#audiences])
          if (audience.actsForAny(people) || isAdmin(audience.viewer)) this.leave(audience);
      }),
      // The default approver is a setting, and other settings change what pages offer.
      services.live.on('settingsChanged', () => this.#endAll()),
      services.live.on('noticesChanged', ({ personIds }) => {
        const people = new Set(personIds);
        // After ended sockets are closed: their pages would read with a token that works no longer.
        void this.#checked.then(() => {
          for (const audience of this.#audiences) if (people.has(audience.viewer.id)) audience.pushNotices();
        });
      }),
      services.live.on('rightsChanged', (change) => {
        for (const audience of [...this.#audiences]) if (audience.isConcernedBy(change)) this.leave(audience);
      }),
      services.live.on('sessionsChanged', ({ personIds }) => {
        const people = new Set(personIds);
        const ofThem = () => [...this.#audiences].filter(({ viewer }) => people.has(viewer.id));
        this.#checked = this.#checked.then(() => this.#recheck(ofThem()));
      }),
      services.live.onGap(() => this.#endAll()),
    ];
  }

  /** Admits a socket whose `connection_init` has a valid token. */
  async join(authorization: unknown): Promise<Audience> {
    const token = typeof authorization === 'string' ? bearerToken(authorization) : null;
    const viewer = await readViewer(this.#services, token);
    const audience = new Audience(tokenHash(token as string), viewer);
    const own = [...this.#audiences].filter((other) => other.viewer.id === viewer.id);
    // Pages can be left without closing their socket. Closes the oldest one of the session with the most,
    // so a stolen token can't push out its owner.
    const sessions = [...Map.groupBy(own, ({ hash }) => hash.toString('hex')).values()];
    const largest = sessions.toSorted((one, other) => other.length - one.length)[0];
    if (largest && own.length >= socketsOfOnePerson) this.leave(largest[0] as Audience);
    this.#audiences.add(audience);
    return audience;
  }

  leave(audience: Audience): void {
    if (this.#audiences.delete(audience)) audience.end();
  }

  async #send(change: TaskChange): Promise<void> {
    const hearers = [...this.#audiences].filter((audience) => audience.mayHear(change));
    await this.#recheck(hearers.filter(({ checkedAt }) => performance.now() - checkedAt > freshMs));
    for (const audience of hearers)
      if (this.#audiences.has(audience) && audience.mayHear(change)) audience.pushTask(change);
  }

  #recheckAll(): Promise<void> {
    return this.#recheck([...this.#audiences]);
  }

  /** Ends sockets whose session ended, or who decide for others now. All, if permissions can't be read. */
  async #recheck(audiences: readonly Audience[]): Promise<void> {
    if (audiences.length === 0) return;
    try {
      const viewers = await readViewers(
        this.#services,
        audiences.map(({ hash }) => hash.toString('hex')),
      );
      for (const audience of audiences) {
        const viewer = viewers.get(audience.hash.toString('hex'));
        if (!viewer || String(viewer.delegateOf) !== String(audience.viewer.delegateOf)) this.leave(audience);
        else Object.assign(audience, { viewer, checkedAt: performance.now() });
      }
    } catch (error) {
      this.#services.log.warn({ err: error }, 'the permissions of open sockets could not be read');
      for (const audience of audiences) this.leave(audience);
    }
  }

  #endAll(): void {
    for (const audience of [...this.#audiences]) this.leave(audience);
  }

  close(): void {
    clearInterval(this.#timer);
    for (const stop of this.#stopListening) stop();
    this.#endAll();
  }
}
