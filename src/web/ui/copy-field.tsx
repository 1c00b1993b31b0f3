import { Button, Textarea, TextInput } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { type FocusEvent, useEffect, useState } from 'react';
import classes from './copy-field.module.css';
import { useAskBeforeLeaving, useLoss } from './dialog.tsx';
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
  /** What has the focus: for a text that is shown only once. The dialog around it asks before it closes. */
  readonly autoFocus?: 'button' | 'text';
};

/** The button then offers to copy again: the clipboard may hold something else. */
const copiedMs = 3_000;

/** A text to copy: selected on focus, with a button that says whether it was copied. */
export function CopyField({ label, description, what, value, isCode, isLong, autoFocus }: Props) {
  const [copied, setCopied] = useState<string | null>(null);
  const [taken, setTaken] = useState<string | null>(null);
  const isOnlyCopy = autoFocus !== undefined && taken !== value;
  useLoss('shownOnce', () => isOnlyCopy);
  useAskBeforeLeaving(isOnlyCopy);
  const isCopied = copied === value;
  useEffect(() => {
    if (copied === null) return undefined;
    const timer = setTimeout(() => setCopied(null), copiedMs);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = () =>
    navigator.clipboard.writeText(value).then(
      () => {
        setCopied(value);
        setTaken(value);
        showToast({ message: `Copied the ${what}` });
      },
      // Browsers block the clipboard on pages loaded over plain http.
      () => showError(`The browser blocked copying. Select the ${what} and copy it`),
    );
  const shared = {
    ...{ label, description, value },
    autoFocus: autoFocus === 'text',
    readOnly: true,
    onCopy: () => setTaken(value),
    onFocus: (event: FocusEvent<HTMLInputElement | HTMLTextAreaElement>) => event.currentTarget.select(),
    ...(isCode ? { classNames: { input: classes.code } } : {}),
  };
  return (
    <div className={classes.row} data-long={isLong}>
      {isLong ? <Textarea {...shared} autosize /> : <TextInput {...shared} />}
      <Button
        variant="default"
        aria-label={`${isCopied ? 'Copied' : 'Copy'} the ${what}`}
        autoFocus={autoFocus === 'button'}
        leftSection={isCopied ? <IconCheck size={15} stroke={1.7} /> : <IconCopy size={15} stroke={1.7} />}
        onClick={() => void copy()}
      >
        {isCopied ? 'Copied' : 'Copy'}
      </Button>
    </div>
  );
}
