import { ActionIcon, Button, Progress } from '@mantine/core';
import { IconDownload, IconFile, IconFileText, IconPhoto, IconTrash, IconX } from '@tabler/icons-react';
import { Writes } from '#web/ui/writes.tsx';
import '@mantine/core/styles/Progress.layer.css';
import { useQueryClient } from '@tanstack/react-query';
import { fileKindOf, previewOf } from '#core/tasks/files.ts';
import { config } from '#web/api/config.ts';
import { Age } from '#web/ui/age.tsx';
import { sizeInWords } from '#web/ui/file-size.ts';
import { showError } from '#web/ui/toasts.tsx';
import { downloadFile } from './file-link.ts';
import classes from './files.module.css';
import { useRemoveFile } from './mutations.ts';
import type { Attachment } from './queries.ts';
import { dismissUpload, retryUpload, type Upload } from './uploads.ts';

const icons = { image: IconPhoto, text: IconFileText } as const;

function FileIcon({ name }: { name: string }) {
  const preview = fileKindOf(name)?.preview;
  const Icon = preview ? icons[preview] : IconFile;
  return <Icon size={17} stroke={1.7} aria-hidden className={classes.icon} />;
}

type FileRowProps = {
  readonly taskId: string;
  readonly file: Attachment;
  readonly canRemove: boolean;
  readonly onPreview: (file: Attachment) => void;
};

export function FileRow({ taskId, file, canRemove, onPreview }: FileRowProps) {
  const client = useQueryClient();
  const remove = useRemoveFile();
  const previewable = previewOf(file) !== null;
  const download = () => {
    downloadFile(client, taskId, file.id).catch((error: Error) => showError(error.message));
  };
  return (
    <li className={classes.row} data-leaving={remove.isPending || undefined}>
      <FileIcon name={file.fileName} />
      <div className={classes.words}>
        <button type="button" className={classes.name} onClick={() => (previewable ? onPreview(file) : download())}>
          {file.fileName}
        </button>
        <span className={classes.meta}>
          {sizeInWords(file.size)}, {file.userName},{' '}
          <Age instant={file.timeStamp} zone={config().companyTimeZone} ago />
        </span>
      </div>
      <ActionIcon size={24} aria-label={`Download ${file.fileName}`} onClick={download}>
        <IconDownload size={15} stroke={1.7} />
      </ActionIcon>
      {canRemove && (
        <Writes>
          <ActionIcon
            size={24}
            aria-label={`Remove ${file.fileName}`}
            loading={remove.isPending}
            onClick={() => remove.mutate({ taskId, itemId: file.id })}
          >
            <IconTrash size={15} stroke={1.7} />
          </ActionIcon>
        </Writes>
      )}
    </li>
  );
}

/** A file being uploaded. A failure stays here, with its options. */
export function UploadRow({ upload }: { upload: Upload }) {
  const client = useQueryClient();
  const { id, file, percent, failure, retryable } = upload;
  const dismiss = failure ? `Remove ${file.name} from the list` : `Cancel ${file.name}`;
  return (
    <li className={classes.row}>
      <FileIcon name={file.name} />
      <div className={classes.words}>
        <span className={classes.name}>{file.name}</span>
        {failure ? (
          <span className={classes.failure} role="alert">
            {failure}
          </span>
        ) : (
          <Progress size={4} value={percent} aria-label={`Sending ${file.name}`} className={classes.progress} />
        )}
      </div>
      {failure && retryable && (
        <Button variant="default" size="compact-xs" onClick={() => retryUpload(client, upload)}>
          Try again
        </Button>
      )}
      <ActionIcon size={24} aria-label={dismiss} onClick={() => dismissUpload(id)}>
        <IconX size={15} stroke={1.7} />
      </ActionIcon>
    </li>
  );
}
