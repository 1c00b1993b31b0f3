// Sends mails over SMTP. Failures become a MailFailure, whose text has no secrets.
import { oneLine } from '#core/base/one-line.ts';
import type { Config } from '../config/config.ts';
import { inSpan } from '../telemetry/telemetry.ts';

export type Mail = {
  /** One address. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** The same for every retry of a mail, so mail clients show duplicates once. */
  readonly id?: string;
};

export type Mailer = {
  /** False when no mail server is set; `send` then refuses. */
  readonly configured: boolean;
  /** Resolves when the mail server has accepted the mail; throws MailFailure otherwise. */
  send(mail: Mail): Promise<void>;
};

export class MailFailure extends Error {
  override name = 'MailFailure';
  /** A retry would get the same answer. */
  readonly permanent: boolean;
  /** Another mail may still be accepted. */
  readonly onlyThisMail: boolean;

  constructor(reason: string, permanent: boolean, onlyThisMail = permanent) {
    super(reason);
    this.permanent = permanent;
    this.onlyThisMail = onlyThisMail;
  }
}

/** In milliseconds. A hanging mail server never delays a request. */
const timeouts = { dnsTimeout: 5_000, connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };

/** The total limit: a server that answers one byte at a time stays within each of the others. */
const longestMs = 60_000;

const longestReason = 300;
const address = /^[^\s@<>()[\]\\,;:"]+@[^\s@<>()[\]\\,;:"]+$/u;
/** Imported people have addresses there until someone gives them their own. */
export const unreachableDomain = '.invalid';

/**
 * `smtps:` is TLS from the first byte. `smtp:` upgrades to TLS if offered, and requires it before sending a
 * password.
 */
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

/** The library's and the mail server's message, without our password. */
function reasonOf(error: unknown, secrets: readonly string[]): string {
  const { code, message } = error as { code?: string; message: string };
  const said = secrets.filter(Boolean).reduce((text, secret) => text.replaceAll(secret, '***'), message);
  return oneLine(code ? `${code}: ${said}` : said).slice(0, longestReason);
}

/** Only for mails rejected for their content: a wrong password or sender can be fixed by the operator. */
function isPermanent(error: unknown): boolean {
  const { code, permanent, command } = error as { code?: string; permanent?: boolean; command?: string };
  return permanent === true && (code === 'EENVELOPE' || code === 'EMESSAGE') && command !== 'MAIL FROM';
}

/** A full mailbox, greylisting or an unknown domain. */
function isAboutRecipient(error: unknown): boolean {
  const { code, command } = error as { code?: string; command?: string };
  return code === 'EENVELOPE' && command === 'RCPT TO';
}

/** Connects and signs in without sending. Throws MailFailure. */
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
  // Loaded with the first mail, because most servers never send one.
  const transport = async () => (await import('nodemailer')).createTransport(options);
  let opened: ReturnType<typeof transport> | undefined;
  return {
    configured: true,
    async send({ to, subject, text, id }) {
      if (!address.test(to)) throw new MailFailure('The address isn’t an email address', true);
      if (to.endsWith(unreachableDomain)) throw new MailFailure('The address can’t receive mail', true);
      try {
        opened ??= transport();
        const mailer = await opened;
        const message = {
          from: mail.from,
          to: { name: '', address: to },
          // A line break would start a new header.
          subject: oneLine(subject),
          text,
          signal: AbortSignal.timeout(longestMs),
          ...(id ? { messageId: `<${id}@${domain}>` } : {}),
          // Stops out-of-office replies.
          headers: { 'auto-submitted': 'auto-generated', 'x-auto-response-suppress': 'All' },
        };
        await inSpan('mail', { 'server.address': options.host }, () => mailer.sendMail(message));
      } catch (error) {
        const permanent = isPermanent(error);
        throw new MailFailure(reasonOf(error, secrets), permanent, permanent || isAboutRecipient(error));
      }
    },
  };
}
