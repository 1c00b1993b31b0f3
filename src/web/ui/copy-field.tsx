import { Button, Textarea, TextInput } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import type { FocusEvent } from 'react';
import classes from './copy-field.module.css';
import { showError, showToast } from './toasts.tsx';

type Props = {
  readonly label: string;
  readonly description?: string;
  /** As the messages name it: "link". */
  readonly what: string;
  readonly value: string;
  /** For machines: in letters of one width. */
  readonly isCode?: boolean;
  /** All of it is in sight, on as many lines as it takes. */
  readonly isLong?: boolean;
  /** It appears where something else had the focus and is gone. */
  readonly autoFocus?: boolean;
};

/** A text to take elsewhere: selected when it is entered, and copied by a button. */
export function CopyField({ label, description, what, value, isCode, isLong, autoFocus }: Props) {
  const copy = () =>
    navigator.clipboard.writeText(value).then(
      () => showToast({ message: `Copied the ${what}` }),
      // Browsers keep the clipboard from pages that came over plain http.
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
