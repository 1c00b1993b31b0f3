// What Patroni is told on one of the two machines.
import { join } from 'node:path';

export const binaries = '/usr/lib/postgresql/15/bin';
export const password = 'failover';

/** Seconds. A leader that is silent for `ttl` is deposed; 20 is the least that Patroni takes. */
const times = { ttl: 20, loop_wait: 2, retry_timeout: 5 };

type Place = {
  readonly name: string;
  readonly address: string;
  /** The first three numbers of its addresses; etcd is at 1. */
  readonly network: string;
  readonly folder: string;
};

export function patroniSettings({ name, address, network, folder }: Place): object {
  const cluster = {
    ...times,
    // What was acknowledged is on both machines, so nothing of it is lost with one.
    synchronous_mode: true,
    maximum_lag_on_failover: 0,
    postgresql: { use_pg_rewind: true, parameters: { wal_log_hints: 'on', max_connections: 100 } },
  };
  const user = { username: 'postgres', password };
  return {
    scope: 'staff',
    name,
    restapi: { listen: `${address}:8008`, connect_address: `${address}:8008` },
    etcd3: { host: `${network}.1:2379` },
    bootstrap: { dcs: cluster, initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'data-checksums'] },
    postgresql: {
      listen: `${address}:5432`,
      connect_address: `${address}:5432`,
      data_dir: join(folder, 'data'),
      bin_dir: binaries,
      pgpass: join(folder, 'pgpass'),
      authentication: { superuser: user, replication: user, rewind: user },
      parameters: { unix_socket_directories: folder },
      pg_hba: [
        `host all all ${network}.0/24 scram-sha-256`,
        `host replication all ${network}.0/24 scram-sha-256`,
        'local all all trust',
      ],
    },
  };
}
