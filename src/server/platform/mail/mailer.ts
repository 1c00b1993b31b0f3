// Sends mails over SMTP. The one place that speaks to the mail server: what cannot be sent is a MailFailure, whose words hold no secret.
import type { Config } from '../config/config.ts';
import { inSpan } from '../telemetry/telemetry.ts';

export type Mail = {
  /** One address. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** The same at every try of one mail, so that whoever got it twice sees it once. */
  readonly id?: string;
};

export type Mailer = {
  /** False: no mail server is set, and `send` refuses. */
  readonly configured: boolean;
  /** Resolves when the mail server has taken the mail; throws MailFailure otherwise. */
  send(mail: Mail): Promise<void>;
};

export class MailFailure extends Error {
  override name = 'MailFailure';
  /** To send the same again would get the same answer. */
  readonly permanent: boolean;

  constructor(reason: string, permanent: boolean) {
    super(reason);
    this.permanent = permanent;
  }
}

/** In milliseconds. A mail server that hangs costs one of these, and never a request. */
const timeouts = { dnsTimeout: 5_000, connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };

/** All of them together: a server that answers one byte at a time keeps within each. */
const longestMs = 60_000;

const longestReason = 300;
const address = /^[^\s@<>()[\]\\,;:"]+@[^\s@<>()[\]\\,;:"]+$/u;

/** `smtps:` is TLS from the first byte. `smtp:` changes to TLS where the server offers it, and insists on it before a password leaves this machine. */
function transportOf(url: string) {
  const { protocol, hostname, port, username, password } = new URL(url);
  const secure = protocol === 'smtps:';
  const isHere = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port ? Number(port) : secure ? 465 : 587,
    secure,
    requireTLS: !secure && password !== '' && !isHere,
    ...(username ? { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } } : {}),
    ...timeouts,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** Whatever somebody typed stays in its line: a line break in a subject would begin a header of its own. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
}

/** What the library and the mail server said, without the password that the server was given. */
function reasonOf(error: unknown, secrets: readonly string[]): string {
  const { code, message } = error as { code?: string; message: string };
  const said = secrets.filter(Boolean).reduce((text, secret) => text.replaceAll(secret, '***'), message);
  return oneLine(code ? `${code}: ${said}` : said).slice(0, longestReason);
}

/** Only a mail that was refused for what it is: a wrong password or a sender that is not allowed is mended by the operator. */
function isPermanent(error: unknown): boolean {
  const { code, permanent, command } = error as { code?: string; permanent?: boolean; command?: string };
  return permanent === true && (code === 'EENVELOPE' || code === 'EMESSAGE') && command !== 'MAIL FROM';
}

/** Connects and signs in, and sends nothing. Throws MailFailure. */
export async function checkMailServer({ url }: NonNullable<Config['mail']>): Promise<void> {
  const options = transportOf(url);
  const transport = (await import('nodemailer')).createTransport(options);
  try {
    await transport.verify();
  } catch (error) {
    throw new MailFailure(reasonOf(error, secretsOf(options)), false);
  } finally {
    transport.close();
  }
}

const secretsOf = ({ auth }: ReturnType<typeof transportOf>): string[] => [
  auth?.pass ?? '',
  encodeURIComponent(auth?.pass ?? ''),
];

export function openMailer({ mail }: Pick<Config, 'mail'>): Mailer {
  if (mail === undefined)
    return { configured: false, send: () => Promise.reject(new MailFailure('No mail server is set up', false)) };
  const options = transportOf(mail.url);
  const domain = /@([^\s@>]+)>?\s*$/.exec(mail.from)?.[1] ?? options.host;
  const secrets = secretsOf(options);
  // Loaded with the first mail: most servers that start never send one.
  const transport = async () => (await import('nodemailer')).createTransport(options);
  let opened: ReturnType<typeof transport> | undefined;
  return {
    configured: true,
    async send({ to, subject, text, id }) {
      if (!address.test(to)) throw new MailFailure('The address isn’t an email address', true);
      try {
        opened ??= transport();
        const mailer = await opened;
        const message = {
          from: mail.from,
          to: { name: '', address: to },
          subject: oneLine(subject),
          text,
          signal: AbortSignal.timeout(longestMs),
          ...(id ? { messageId: `<${id}@${domain}>` } : {}),
          // Keeps answers of absent people from coming back.
          headers: { 'auto-submitted': 'auto-generated', 'x-auto-response-suppress': 'All' },
        };
        await inSpan('mail', { 'server.address': options.host }, () => mailer.sendMail(message));
      } catch (error) {
        throw new MailFailure(reasonOf(error, secrets), isPermanent(error));
      }
    },
  };
}
