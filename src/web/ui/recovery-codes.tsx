import { useState } from 'react';
import { PlainButton } from './plain-button.tsx';
import classes from './recovery-codes.module.css';

type Props = { readonly codes: readonly string[]; readonly appName: string; readonly email?: string | undefined };

/** Ten codes, shown once, with three ways to save them. */
export function RecoveryCodes({ codes, appName, email }: Props) {
  const [said, setSaid] = useState('');
  const copy = () =>
    navigator.clipboard.writeText(codes.join('\n')).then(
      () => setSaid('Codes copied'),
      // Browsers block the clipboard on pages loaded over plain http.
      () => setSaid('The browser blocked copying. Select the codes and copy them'),
    );
  const download = () => {
    const whose = email === undefined ? '' : ` of ${email}`;
    const text = `${appName}: recovery codes${whose}\nEach code works once.\n\n${codes.join('\n')}\n`;
    const address = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
    const link = document.createElement('a');
    link.href = address;
    link.download = 'recovery-codes.txt';
    link.click();
    URL.revokeObjectURL(address);
    setSaid('Codes downloaded');
  };
  return (
    <div>
      <ol className={classes.codes} data-print>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <div className={classes.actions}>
        {/* Not the button that leaves: a second Enter would lose the codes unseen. */}
        <PlainButton data-autofocus onClick={() => void copy()}>
          Copy
        </PlainButton>
        <PlainButton onClick={download}>Download</PlainButton>
        <PlainButton onClick={() => print()}>Print</PlainButton>
      </div>
      <p className={classes.said} role="status">
        {said}
      </p>
    </div>
  );
}
