import { Button, Textarea, TextInput } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import type { FocusEvent } from 'react';
import classes from './copy-field.module.css';
import { showError, showToast } from './toasts.tsx';

type Props = {
  readonly label: string;
  readonly description?: string;
  /** Its name in messages: "link". */
  readonly what: string;
  readonly value: string;
  /** For machines: in a monospaced font. */
  readonly isCode?: boolean;
  /** Shows the whole text on as many lines as needed. */
  readonly isLong?: boolean;
  /** For a field that replaces the focused element. */
  readonly autoFocus?: boolean;
};

/** A text to copy: selected on focus, with a copy button. */
export function CopyField({ label, description, what, value, isCode, isLong, autoFocus }: Props) {
  const copy = () =>
    navigator.clipboard.writeText(value).then(
      () => showToast({ message: `Copied the ${what}` }),
      // Browsers block the clipboard on pages loaded over plain http.
      () => showError(`The browser blocked copying. Select the ${what} and copy it`),
    );
  const shared = {
    ...{ label, description, value, autoFocus },
    readOnly: true,
    onFocus: (event: FocusEvent<HTMLInputElement | HTMLTextAreaElement>) => event.currentTarget.select(),
    ...(isCode ? { classNames: { input: classes.code } } : {}),
  };
  return (
    <div className={classes.row} data-long={isLong}>
      {isLong ? <Textarea {...shared} autosize /> : <TextInput {...shared} />}
      <Button
        variant="default"
        aria-label={`Copy the ${what}`}
        leftSection={<IconCopy size={15} stroke={1.7} />}
        onClick={() => void copy()}
      >
        Copy
      </Button>
    </div>
  );
}
