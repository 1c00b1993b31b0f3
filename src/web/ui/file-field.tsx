import type { ChangeEvent } from 'react';
import classes from './file-field.module.css';

type Props = {
  readonly label: string;
  readonly accept: string;
  readonly disabled?: boolean;
  /** Also of the same file again: it may have been corrected. */
  readonly onFile: (file: File) => void;
};

export function FileField({ label, accept, disabled = false, onFile }: Props) {
  const choose = ({ currentTarget: { files } }: ChangeEvent<HTMLInputElement>) => {
    const [file] = files ?? [];
    if (file) onFile(file);
  };
  return (
    <label className={classes.file}>
      <span>{label}</span>
      <input
        type="file"
        accept={accept}
        disabled={disabled}
        onChange={choose}
        // Otherwise choosing the same file is no change.
        onClick={({ currentTarget }) => {
          currentTarget.value = '';
        }}
      />
    </label>
  );
}
