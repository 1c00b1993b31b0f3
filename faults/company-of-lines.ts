// The product with a line to each of what it stands on: the database, the bucket of files, the identity
// provider and Metabase.
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { hashPassword } from '#server/access/auth/passwords.ts';
import { type Line, layLine } from '../test/line.ts';
import { makePerson, makeSession } from '../test/people.ts';
import { bucketUrl, startBucket } from '../test/s3-server.ts';
import { upload } from './calls.ts';
import { makeStaff, outsideDatabase, Product } from './product.ts';
import { prepareTasks } from './writers.ts';

/** A person who signs in by password. */
export const account = { email: 'person@example.test', password: 'kettle rover eleven' };

export const ends = ['database', 'bucket', 'provider', 'metabase'] as const;
export type End = (typeof ends)[number];

export type Company = {
  readonly url: string;
  /** The server's process. */
  readonly pid: number;
  readonly lines: Readonly<Record<End, Line>>;
  readonly owner: { readonly id: string; readonly token: string };
  readonly adminToken: string;
  readonly taskId: string;
  /** A link to a file of the task. */
  readonly link: string;
};

/** A server of HTTP at the end of a line; what it says may name the address that others know it by. */
async function behindLine(answer: (url: string) => RequestListener) {
  let url = '';
  const server = createServer((request, response) => answer(url)(request, response)).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const line = await layLine({ host: '127.0.0.1', port: (server.address() as AddressInfo).port });
  url = `http://127.0.0.1:${line.port}`;
  const stop = async () => {
    await line.close();
    server.closeAllConnections();
    server.close();
  };
  return { line, url, stop };
}

const json =
  (body: object): RequestListener =>
  (_request, response) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));

/** Everything a provider is asked before a sign-in. */
const provider = (issuer: string): RequestListener =>
  json({
    issuer,
    authorization_endpoint: `${issuer}/auth`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
  });

async function makePeople(databaseUrl: string): Promise<{ adminToken: string }> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  try {
    await makePerson(pool, { email: account.email, passwordHash: await hashPassword(account.password) });
    const admin = await makePerson(pool, { role: 'admin' });
    await pool.query(`insert into settings (key, value) values ('dashboards', '{"connect":"metabase"}')`);
    return { adminToken: await makeSession(pool, admin, Temporal.Now.instant().subtract({ minutes: 1 }), 24) };
  } finally {
    await pool.end();
  }
}

/** Starts it all, does the work, and ends it all. */
export async function withCompany<T>(work: (company: Company) => Promise<T>): Promise<T> {
  const stops: (() => Promise<unknown>)[] = [];
  try {
    const database = await outsideDatabase();
    stops.push(() => database.stop());
    const { hostname, port } = new URL(database.url);
    const databaseLine = await layLine({ host: hostname, port: Number(port) });
    const throughLine = new URL(database.url);
    throughLine.port = String(databaseLine.port);
    const bucket = await startBucket(`${database.folder}/s3`);
    const bucketLine = await layLine({ host: '127.0.0.1', port: bucket.port });
    const idp = await behindLine(provider);
    const metabase = await behindLine(() => json({ status: 'ok' }));
    stops.push(bucket.stop, bucketLine.close, databaseLine.close, idp.stop, metabase.stop);
    const { adminToken } = await makePeople(database.url);
    const product = new Product({
      database: { url: throughLine.href },
      env: {
        FILES_URL: bucketUrl(bucketLine.port),
        OIDC_ISSUER: idp.url,
        OIDC_CLIENT_ID: 'dashboard',
        OIDC_CLIENT_SECRET: 'a secret that both sides of this test know',
        PUBLIC_URL: 'http://127.0.0.1:3000',
        METABASE_SITE_URL: metabase.url,
        METABASE_SECRET_KEY: 'a0c6e2f4b1d39578a0c6e2f4b1d3957a0c6e2f4b1d395700',
      },
    });
    stops.push(() => product.end());
    await product.start();
    const staff = await makeStaff(database.url, 1);
    const owner = staff.owners[0] as Company['owner'];
    const [task] = (await prepareTasks({ url: () => product.url, staff })).values();
    const taskId = task?.id ?? '';
    const attached = await upload(product.url, owner, { taskId, name: 'a.txt', content: Buffer.from('text') });
    if (attached.kind !== 'done') throw new Error(`No file to open: ${JSON.stringify(attached)}`);
    return await work({
      url: product.url,
      pid: product.server.child.pid as number,
      lines: { database: databaseLine, bucket: bucketLine, provider: idp.line, metabase: metabase.line },
      owner,
      adminToken,
      taskId,
      link: attached.body.attachment.url,
    });
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
}
