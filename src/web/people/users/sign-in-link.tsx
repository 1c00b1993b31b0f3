import { useQuery } from '@tanstack/react-query';
import { formatInstant } from '#core/base/day-words.ts';
import { config } from '#web/api/config.ts';
import { CopyField } from '#web/ui/copy-field.tsx';
import classes from './sign-in-link.module.css';
import { linkAddress, type SignInLink } from './users-calls.ts';
import { userQuery } from './users-queries.ts';

type Props = { readonly userId: string; readonly link: SignInLink | undefined };

/** Says that the link was emailed, or shows it once while it is the person's open link. */
export function SignInLinkView({ userId, link }: Props) {
  // Not before the link: an answer without it would hide it, and it can't be shown again.
  const { data } = useQuery({ ...userQuery(userId), enabled: link !== undefined });
  if (!link) return null;
  const until = formatInstant(link.expiresAt, config().companyTimeZone);
  if (link.token === null && link.mailedTo === null)
    return (
      <p className={classes.said} role="alert">
        The email couldn’t be sent. Try again later, or ask an admin for a link.
      </p>
    );
  if (data && data.user.linkUntil !== link.expiresAt)
    return (
      <p className={classes.said} role="status">
        The link you created no longer works.
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
