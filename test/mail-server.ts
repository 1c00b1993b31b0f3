// A real mail server on the loopback, that keeps what it takes and can be told to refuse.
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

export type ReceivedMail = {
  readonly from: string;
  readonly to: readonly string[];
  /** By their names in lower case; folded lines are one. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** As it came over the wire. */
  readonly source: string;
};

type Refusal = {
  readonly at: 'recipient' | 'mail';
  readonly to?: string;
  readonly code: number;
  readonly text: string;
} | null;

export type MailServer = {
  /** For SMTP_URL. */
  readonly url: string;
  readonly port: number;
  readonly mails: ReceivedMail[];
  /** Answers every recipient (or those of this address), or every mail, with this reply until told otherwise. */
  refuse(answer: Refusal): void;
  stop(): Promise<void>;
};

export type MailServerOptions = {
  readonly port?: number;
  readonly login?: { readonly user: string; readonly password: string };
  readonly onLogin?: (user: string) => void;
  /** TLS from the first byte, with a certificate that nobody vouches for. */
  readonly secure?: boolean;
};

export async function startMailServer({
  port = 0,
  login,
  onLogin,
  secure = false,
}: MailServerOptions = {}): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  let refusal: Refusal = null;
  const refusalAt = (at: 'recipient' | 'mail', to?: string) =>
    refusal?.at === at && (refusal.to ?? to) === to
      ? Object.assign(new Error(refusal.text), { responseCode: refusal.code })
      : null;
  const server = new SMTPServer({
    secure,
    authOptional: login === undefined,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    onAuth(auth, _session, answer) {
      onLogin?.(auth.username ?? '');
      const isRight = auth.username === login?.user && auth.password === login?.password;
      answer(isRight ? null : new Error('Wrong name or password'), { user: auth.username });
    },
    onRcptTo: ({ address }, _session, answer) => answer(refusalAt('recipient', address)),
    onData(stream, session, answer) {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', () => {
        const refused = refusalAt('mail');
        if (refused) return answer(refused);
        const { mailFrom, rcptTo } = session.envelope;
        const source = Buffer.concat(parts).toString('utf8');
        mails.push({
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map((recipient) => recipient.address),
          ...read(source),
          source,
        });
        answer(null);
      });
    },
  });
  // What a client does to its connection is the client's test.
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', () => resolve()));
  const listening = (server.server.address() as AddressInfo).port;
  return {
    url: `smtp://127.0.0.1:${listening}`,
    port: listening,
    mails,
    refuse(answer) {
      refusal = answer;
    },
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function read(source: string): Pick<ReceivedMail, 'headers' | 'text'> {
  const end = source.indexOf('\r\n\r\n');
  const lines = source
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), words(line.slice(line.indexOf(':') + 1))]),
  );
  return { headers, text: body(source.slice(end + 4), headers['content-transfer-encoding']) };
}

/** Encoded words of a header, as RFC 2047 writes them. */
function words(value: string): string {
  return value
    .trim()
    .replace(/(\?=)\s+(=\?)/g, '$1$2')
    .replace(/=\?utf-8\?(b|q)\?([^?]*)\?=/gi, (_whole, kind: string, text: string) =>
      kind.toLowerCase() === 'b' ? Buffer.from(text, 'base64').toString('utf8') : quoted(text.replaceAll('_', ' ')),
    );
}

function body(text: string, encoding: string | undefined): string {
  const read = encoding === 'base64' ? Buffer.from(text, 'base64').toString('utf8') : text;
  return (encoding === 'quoted-printable' ? quoted(text) : read).replaceAll('\r\n', '\n').trimEnd();
}

function quoted(text: string): string {
  const bytes = text
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9A-F]{2})/gi, (_whole, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
