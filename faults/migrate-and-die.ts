// `migrate-and-die.ts URL N`: migrates as a server does, and is killed before its N-th statement, as by a
// power cut.
import 'temporal-polyfill/global';
import pg from 'pg';
import { migrate } from '#server/platform/db/migrate.ts';

const [url = '', last = '1'] = process.argv.slice(2);
const { query } = pg.Client.prototype;
let sent = 0;

pg.Client.prototype.query = function counted(this: pg.Client, ...parameters: unknown[]) {
  sent += 1;
  if (sent === Number(last)) process.kill(process.pid, 'SIGKILL');
  return (query as (...given: unknown[]) => unknown).apply(this, parameters);
} as typeof query;

await migrate({ url, log: { info() {}, warn() {}, error: console.error } });
