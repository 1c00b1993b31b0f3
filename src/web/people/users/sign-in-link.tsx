import { formatInstant } from '#core/base/day-words.ts';
import { config } from '#web/api/config.ts';
import { CopyField } from '#web/ui/copy-field.tsx';
import classes from './sign-in-link.module.css';
import { linkAddress, type SignInLink } from './users-calls.ts';

/** Says that the link was emailed, or shows it once. */
export function SignInLinkView({ link }: { link: SignInLink | undefined }) {
  if (!link) return null;
  const until = formatInstant(link.expiresAt, config().companyTimeZone);
  if (link.token === null && link.mailedTo === null)
    return (
      <p className={classes.said} role="alert">
        The email couldn’t be sent. Try again later, or ask an admin for a link.
      </p>
    );
  if (link.token === null)
    return (
      <p className={classes.said} role="status">
        We emailed the link to {link.mailedTo}. It works once, until {until}.
      </p>
    );
  return (
    <div className={classes.link} role="status">
      {link.mailFailed && <p>The email couldn’t be sent. Send this link yourself.</p>}
      <CopyField
        key={link.token}
        label="One-time link"
        description={`Works once, until ${until}. You won’t see it again.`}
        what="link"
        autoFocus="button"
        value={linkAddress(link)}
      />
    </div>
  );
}
