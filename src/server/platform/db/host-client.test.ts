import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Pair, startPair } from '../../../../test/standby.ts';
import { openLiveChanges } from '../live/live.service.ts';
import { openDatabase } from './database.ts';
import { isUnavailable } from './database-failures.ts';
import { hostsIn } from './host-client.ts';

const log = { info() {}, warn() {}, error() {} };

describe('the hosts in an address', () => {
  it.each(['http://a/b', 'staff@a/b', 'postgres://a:x/b', 'postgres://a,b:x/c'])('%s is none of a database', (url) => {
    expect(hostsIn(url)).toBeNull();
  });

  it.each([
    ['postgres://u:p@a:5432/n', ['postgres://u:p@a:5432/n'], 'any'],
    ['postgresql://a', ['postgresql://a'], 'any'],
    ['postgres:///n?host=/run/postgresql', ['postgres:///n?host=/run/postgresql'], 'any'],
    ['postgres://u@[::1]:1,b:2/n', ['postgres://u@[::1]:1/n', 'postgres://u@b:2/n'], 'any'],
    [
      'postgres://u@a,b/n?target_session_attrs=read-write',
      ['postgres://u@a/n?target_session_attrs=read-write', 'postgres://u@b/n?target_session_attrs=read-write'],
      'read-write',
    ],
  ])('%s', (url, urls, kind) => {
    expect(hostsIn(url)).toEqual({ urls, kind });
  });
});

/** A PostgreSQL message: its letter, its length, its content. */
function message(letter: string, ...says: Buffer[]): Buffer {
  const content = Buffer.concat(says);
  const length = Buffer.alloc(4);
  length.writeInt32BE(content.length + 4);
  return Buffer.concat([Buffer.from(letter), length, content]);
}

describe('a database that dies as it greets', () => {
  const greeting = Buffer.concat([message('R', Buffer.alloc(4)), message('Z', Buffer.from('I'))]);
  const farewell = message(
    'E',
    Buffer.from('SFATAL\0C57P01\0Mterminating connection due to unexpected postmaster exit\0\0'),
  );
  const dying = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end(Buffer.concat([greeting, farewell])));
  });
  beforeAll(() => once(dying.listen(0, '127.0.0.1'), 'listening'));
  afterAll(() => dying.close());

  it('fails the question, and does not end the server', async () => {
    const { port } = dying.address() as AddressInfo;
    const database = openDatabase({ url: `postgres://nobody@127.0.0.1:${port}/postgres`, poolSize: 4, log });
    const error = await database.pool.query('select 1').catch((error) => error);
    expect(isUnavailable(error)).toBe(true);
    await database.close();
  });
});

describe('several hosts', () => {
  let pair: Pair;
  beforeAll(async () => {
    pair = await startPair();
  });
  afterAll(() => pair.stop());

  const together = (...urls: string[]) => {
    const [first = ''] = urls;
    return `${first.replace(/@.*/, '')}@${urls.map((url) => new URL(url).host).join(',')}/postgres`;
  };
  const gone = 'postgres://nobody@127.0.0.1:1/postgres';
  const open = (url: string) => openDatabase({ url, poolSize: 3, log });
  const isStandby = 'select pg_is_in_recovery() as standby';

  it('of which none takes writes are a database that cannot be reached', async () => {
    const database = open(`${together(pair.standbyUrl, gone)}?target_session_attrs=read-write`);
    const error = await database.pool.query('select 1').catch((error) => error);
    expect([isUnavailable(error), error.message]).toEqual([true, expect.stringContaining('is read-only')]);
    await database.close();
  });

  it('of which any will do: one that is down is passed over', async () => {
    const database = open(together(pair.standbyUrl, gone));
    expect((await database.pool.query(isStandby)).rows).toEqual([{ standby: true }]);
    await database.close();
  });

  it('work goes to the one that takes writes, and after a failover to the other, with what was acknowledged', async () => {
    const url = `${together(pair.standbyUrl, gone, pair.primaryUrl)}?target_session_attrs=read-write`;
    const database = open(url);
    const live = await openLiveChanges({ url, log });
    const told = new Promise<void>((resolve) => live.onGap(resolve));
    await database.pool.query('create table kept (text text)');
    await Promise.all(['a', 'b', 'c'].map((text) => database.pool.query('insert into kept values ($1)', [text])));

    const failedOver = pair.failOver();
    const outcomes = new Set<string>();
    for (let works = false; !works; ) {
      works = await database.pool.query("insert into kept values ('after')").then(
        () => true,
        (error) => void outcomes.add(isUnavailable(error) ? 'unavailable' : String(error)) as never,
      );
    }
    await failedOver;
    await told;
    expect([...outcomes].filter((outcome) => outcome !== 'unavailable')).toEqual([]);
    const { rows } = await database.pool.query(
      "select pg_is_in_recovery() as standby, count(*)::int as kept from kept where text <> 'after'",
    );
    expect(rows).toEqual([{ standby: false, kept: 3 }]);
    await live.close();
    await database.close();
  });
});
