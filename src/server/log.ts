// The server's log: JSON lines, a request id in each, and no secret in any.
import pino, { type Logger, type LoggerOptions } from 'pino';

/** An address without its query, which may hold the signature of a file's link. */
function withoutQuery(url: string | undefined): string | undefined {
  return url?.split('?', 1)[0];
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
    req: (request: LoggedRequest) => ({ method: request.method, url: withoutQuery(request.url), address: request.ip }),
  },
};

export function createLog(more: Pick<LoggerOptions, 'level'> = {}): Logger {
  return pino({ ...options, ...more });
}
