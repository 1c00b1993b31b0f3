// What is no HTTP, or hardly: request lines, headers and bodies as no client library would send them.
import type { Random } from '#server/demo/random.ts';
import { mutated } from './malformed-calls.ts';

const lines: readonly string[] = [
  ...[
    'GET /dashboard HTTP/1.1',
    'POST /graphql HTTP/1.1',
    'POST /attachment HTTP/1.1',
    'POST /api/auth/login HTTP/1.1',
    'GET http://evil.test/ HTTP/1.1',
  ],
  ...[
    'OPTIONS * HTTP/1.1',
    'CONNECT a:1 HTTP/1.1',
    'GET /graphql HTTP/1.1',
    'PRI * HTTP/2.0',
    'GET / HTTP/0.9',
    'GET / HTTP/9.9',
    'GET  / HTTP/1.1',
  ],
  ...[
    'TRACE / HTTP/1.1',
    'get / HTTP/1.1',
    'GET / HTTP/1.0',
    'GET /\u0000 HTTP/1.1',
    '',
    '\r\n\r\nGET / HTTP/1.1',
    `${'A'.repeat(5_000)} / HTTP/1.1`,
  ],
];
const headers: readonly string[] = [
  ...[
    'Content-Length: 5',
    'Content-Length: -1',
    'Content-Length: 5, 6',
    'Content-Length: 0x5',
    'Content-Length: 99999999999999999999',
  ],
  ...[
    'Transfer-Encoding: chunked',
    'Transfer-Encoding: chunked, identity',
    'Transfer-Encoding: x',
    'Transfer-Encoding : chunked',
    'Content-Type: application/json',
  ],
  ...[
    'Content-Type: multipart/form-data; boundary=x',
    'Content-Type:',
    'Expect: 100-continue',
    'Expect: x',
    'Connection: upgrade',
    'Upgrade: websocket',
  ],
  ...[
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Version: 99',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    'Sec-WebSocket-Key: x',
  ],
  ...[
    'Sec-WebSocket-Protocol: graphql-transport-ws',
    'Sec-WebSocket-Protocol: \u0001',
    'Sec-WebSocket-Extensions: permessage-deflate; x=1',
  ],
  ...[
    'Authorization: Bearer',
    'Authorization: Bearer \u0001',
    `Authorization: Bearer ${'a'.repeat(43)}`,
    'Cookie: a=b; a; =; \u0001',
    'Host:',
    'Host: a b',
  ],
  ...[
    'X-Forwarded-For: ::1, \u0000',
    'X-Viewing: 1',
    'Idempotency-Key: \u00ff',
    'Accept-Encoding: gzip;q=x',
    'If-None-Match: "',
    'Range: bytes=9-1',
    'Range: bytes=0-0,0-0',
  ],
  ...[' folded: a', 'no colon', ': no name', 'a\u0000b: c', `X-Long: ${'a'.repeat(9_000)}`],
];
const bodies: readonly string[] = [
  ...[
    '',
    'hello',
    '{"query":"{ people { id } }"}',
    '5\r\nhello\r\n0\r\n\r\n',
    '5;x=y\r\nhello\r\n0\r\n\r\n',
    'z\r\n',
    'ffffffffffffffff\r\na',
    '-1\r\n',
  ],
  ...[
    '0\r\nX: y\r\n\r\n',
    'GET /healthz HTTP/1.1\r\nHost: here\r\n\r\n',
    '\u0081\u0085aaaa',
    '\u0088\u0000',
    '\u00ff\u00ff\u00ff',
    '--x\r\n\r\n--x--\r\n',
  ],
];

/** One connection's worth, as latin1. */
export function malformedBytes(random: Random): string {
  const chosen = Array.from({ length: random.whole(0, 6) }, () => random.pick(headers));
  const right = ['Host: here', ...chosen, ...(random.chance(0.7) ? ['Connection: close'] : [])];
  const text = `${random.pick(lines)}\r\n${right.join('\r\n')}\r\n\r\n${random.pick(bodies)}`;
  return random.chance(0.5) ? mutated(text, random) : text;
}
