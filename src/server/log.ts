// The server's log: JSON lines, a request id in each, and no secret in any.
import pino, { type DestinationStream, type Logger, type LoggerOptions } from 'pino';
import { withoutCalendarSecret } from './schedule/calendar-path.ts';

/** An address without its query, which may hold the signature of a file's link, and without the secret of a calendar feed. */
function withoutSecrets(url: string | undefined): string | undefined {
  return url === undefined ? undefined : withoutCalendarSecret(url.split('?', 1)[0] ?? '');
}

type LoggedRequest = { id: string; method: string; url?: string; ip: string };

const options: LoggerOptions = {
  level: 'info',
  redact: {
    paths: [
      'authorization',
      'token',
      'password',
      'cookie',
      '*.authorization',
      '*.token',
      '*.password',
      '*.cookie',
      '*.headers.authorization',
      '*.headers.cookie',
    ],
    censor: '[hidden]',
  },
  serializers: {
    req: (request: LoggedRequest) => ({
      method: request.method,
      url: withoutSecrets(request.url),
      address: request.ip,
    }),
  },
};

/** Writes to the standard output unless a destination is given. */
export function createLog(more: Pick<LoggerOptions, 'level'> = {}, destination?: DestinationStream): Logger {
  return destination ? pino({ ...options, ...more }, destination) : pino({ ...options, ...more });
}
