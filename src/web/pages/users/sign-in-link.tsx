import { Button, TextInput } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import { config } from '#web/api/config.ts';
import { formatInstant } from '#web/ui/age.tsx';
import { showError, showToast } from '#web/ui/toasts.tsx';
import classes from './sign-in-link.module.css';
import type { SignInLink } from './users-calls.ts';

/** What became of the link: it went out by mail, or it stands here to be handed over. It is shown this once. */
export function SignInLinkView({ link }: { link: SignInLink | undefined }) {
  if (!link) return null;
  const until = formatInstant(link.expiresAt, config().companyTimeZone);
  if (link.token === null)
    return (
      <p className={classes.said} role="status">
        The link went to {link.mailedTo}. It is good once, until {until}.
      </p>
    );
  const address = `${location.origin}/#${link.kind}=${link.token}`;
  const copy = () =>
    navigator.clipboard.writeText(address).then(
      () => showToast({ message: 'The link is copied' }),
      () => showError('The browser did not copy it: select the link and copy it by hand'),
    );
  return (
    <div className={classes.link} role="status">
      {link.mailFailed && <p>The mail could not be sent. Hand the link over yourself.</p>}
      <div className={classes.row}>
        <TextInput
          label="Link to hand over"
          description={`Good once, until ${until}. It is not shown again.`}
          readOnly
          value={address}
          onFocus={(event) => event.currentTarget.select()}
        />
        <Button variant="default" leftSection={<IconCopy size={15} stroke={1.7} />} onClick={() => void copy()}>
          Copy
        </Button>
      </div>
    </div>
  );
}
