// What Metabase does with a signed dashboard, as it documents it: the signature is verified before anything
// is shown, locked parameters come from it alone, and the frame tells the page around it where it is.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { errors, jwtVerify } from 'jose';

export type SmallMetabase = {
  readonly siteUrl: string;
  readonly secretKey: string;
  /** What the signatures said that were shown, in order. */
  readonly shown: { readonly dashboard: number; readonly params: object; readonly exp: number }[];
  stop(): void;
};

const secretKey = '5f1d0c9b8a7e6f5d4c3b2a190817263544536271809fedcba0192837465564738';

export async function startSmallMetabase(): Promise<SmallMetabase> {
  const shown: SmallMetabase['shown'] = [];
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://metabase');
    const answer = (status: number, type: string, body: string) =>
      response.writeHead(status, { 'content-type': `${type}; charset=utf-8` }).end(body);
    if (pathname === '/api/health') return answer(200, 'application/json', '{"status":"ok"}');
    const [, token] = /^\/embed\/dashboard\/([^/]+)$/.exec(pathname) ?? [];
    if (token === undefined) return answer(404, 'text/plain', 'Not found.');
    try {
      const signed = await verify(token);
      shown.push(signed);
      return answer(200, 'text/html', dashboardPage(signed));
    } catch (error) {
      return answer(
        400,
        'text/plain',
        error instanceof errors.JWTExpired ? 'Token is expired' : 'Message seems corrupt',
      );
    }
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    siteUrl: `http://127.0.0.1:${port}`,
    secretKey,
    shown,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function verify(token: string): Promise<SmallMetabase['shown'][number]> {
  const { payload } = await jwtVerify(token, new TextEncoder().encode(secretKey), { algorithms: ['HS256'] });
  const { resource, params, exp } = payload as { resource?: { dashboard?: unknown }; params?: unknown; exp?: number };
  if (typeof resource?.dashboard !== 'number' || typeof params !== 'object' || params === null || exp === undefined)
    throw new Error('The token misses its resource, params or exp');
  return { dashboard: resource.dashboard, params, exp };
}

function dashboardPage({ dashboard, params }: { dashboard: number; params: object }): string {
  return `<!doctype html><title>Dashboard</title>
<h1>Dashboard ${dashboard} of ${JSON.stringify(params)}</h1><p id="look"></p><button>Only the Netherlands</button>
<script>
  const tell = () => {
    document.querySelector('#look').textContent = location.search + ' ' + location.hash;
    const { href, search, hash, pathname } = location;
    parent.postMessage({ metabase: { type: 'location', location: { href, search, hash, pathname } } }, '*');
  };
  document.querySelector('button').onclick = () => { history.pushState(null, '', '?country=NL' + location.hash); tell(); };
  tell();
</script>`;
}
