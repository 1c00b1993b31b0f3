// HTTPS in front of servers, with a certificate made for this test.
import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

/** What is missing here for it, or null. */
export const noTls = spawnSync('openssl', ['version']).status === 0 ? null : 'openssl';

export type TlsProxy = {
  readonly url: string;
  readonly certificate: string;
  /** `localhost:3000`, one or several, taken in turn. */
  leadTo(servers: readonly string[]): void;
  stop(): Promise<void>;
};

export async function startTlsProxy(folder: string): Promise<TlsProxy> {
  const [keyFile, certificateFile] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const made = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1'];
  execFileSync('openssl', [...made, ...subject, '-keyout', keyFile, '-out', certificateFile], { stdio: 'ignore' });
  const certificate = readFileSync(certificateFile, 'utf8');
  let behind: readonly string[] = [];
  let turn = 0;
  const server = createServer({ key: readFileSync(keyFile), cert: certificate }, (incoming, outgoing) => {
    const [hostname, port] = (behind[turn++ % behind.length] ?? 'localhost:1').split(':');
    const headers = { ...incoming.headers, 'x-forwarded-for': '192.0.2.1', 'x-forwarded-proto': 'https' };
    // A connection kept from before a restart would lead to a server that is gone.
    const to = { hostname, port, method: incoming.method, path: incoming.url, headers, agent: false };
    const passed = request(to, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    passed.on('error', () => outgoing.writeHead(502).end());
    incoming.pipe(passed);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `https://localhost:${(server.address() as AddressInfo).port}`,
    certificate,
    leadTo(servers) {
      behind = servers;
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
