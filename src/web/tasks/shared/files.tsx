import { Dropzone } from '@mantine/dropzone';
import '@mantine/dropzone/styles.layer.css';
import { ActionIcon, Button, Progress } from '@mantine/core';
import { IconDownload, IconFile, IconFileText, IconPhoto, IconTrash, IconX } from '@tabler/icons-react';
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { fileKindOf, previewOf } from '#core/tasks/files.ts';
import { removalRefusal } from '#core/tasks/task.ts';
import { config } from '#web/api/config.ts';
import type { SignedIn } from '#web/api/viewer.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import { Loading, SkeletonBlock } from '#web/ui/skeleton.tsx';
import { Writes } from '#web/ui/writes.tsx';
import classes from './files.module.css';
import { type Attachment, type FullTask, mergeTask, readTask } from './queries.ts';
import { useTaskRules } from './rules.ts';
import { TaskSection } from './section.tsx';
import { acceptedExtensions, addUploads, dismissUpload, retryUpload, type Upload, useUploads } from './uploads.ts';
import '@mantine/core/styles/Progress.layer.css';
import { refusals } from '#core/base/refusals.ts';
import { Age } from '#web/ui/age.tsx';
import { sizeInWords } from '#web/ui/file-size.ts';
import { showError } from '#web/ui/toasts.tsx';
import { useRemoveFile } from './mutations.ts';

// Links to files are valid for ten minutes, so each use rereads the task for a new one.

async function freshLink(
  client: QueryClient,
  taskId: string,
  fileId: string,
): Promise<{ href: string; fileName: string }> {
  const task = await readTask(taskId);
  if (task) mergeTask(client, task);
  const file = task?.attachments.find(({ id }) => id === fileId);
  if (!file?.url) throw new Error(refusals.NOT_FOUND.message);
  return { href: new URL(file.url, new URL(config().top5ServerUrl, location.href)).href, fileName: file.fileName };
}

async function downloadFile(client: QueryClient, taskId: string, fileId: string): Promise<void> {
  const { href, fileName } = await freshLink(client, taskId, fileId);
  const link = document.createElement('a');
  link.href = href;
  link.download = fileName;
  link.click();
}

/** A file's content, for a preview on the page. */
async function readFileContent(
  client: QueryClient,
  taskId: string,
  fileId: string,
  signal: AbortSignal,
): Promise<Blob> {
  const { href } = await freshLink(client, taskId, fileId);
  const response = await fetch(href, { signal });
  if (!response.ok) throw new Error(refusals.LINK_EXPIRED.message);
  return response.blob();
}

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

function FileRow({ taskId, file, canRemove, onPreview }: FileRowProps) {
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
function UploadRow({ upload }: { upload: Upload }) {
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

/** The start of a text is enough. */
const longestPreview = 100_000;

type FilePreviewProps = { readonly taskId: string; readonly file: Attachment | null; readonly onClose: () => void };

/** Previews an image or text without leaving the task. */
function FilePreview({ taskId, file, onClose }: FilePreviewProps) {
  return (
    <Dialog opened={file !== null} title={file?.fileName ?? 'Preview'} onClose={onClose} width={760}>
      {file && <Content taskId={taskId} file={file} />}
    </Dialog>
  );
}

function Content({ taskId, file }: { taskId: string; file: Attachment }) {
  const client = useQueryClient();
  const { data, error, refetch } = useQuery({
    queryKey: ['file', file.id],
    queryFn: ({ signal }) => readFileContent(client, taskId, file.id, signal),
    gcTime: 0,
    retry: false,
  });
  if (error && !data) return <PanelError sentence="Couldn’t load the preview" onRetry={() => void refetch()} />;
  const isImage = previewOf(file) === 'image';
  return (
    <Loading loading={!data} skeleton={<SkeletonBlock height={240} />}>
      {data && (isImage ? <Picture content={data} name={file.fileName} /> : <Words content={data} />)}
    </Loading>
  );
}

function Picture({ content, name }: { content: Blob; name: string }) {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    const made = URL.createObjectURL(content);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [content]);
  return url && <img src={url} alt={name} className={classes.picture} />;
}

function Words({ content }: { content: Blob }) {
  const [text, setText] = useState('');
  useEffect(() => {
    let shown = true;
    void content
      .slice(0, longestPreview)
      .text()
      .then((read) => shown && setText(read));
    return () => {
      shown = false;
    };
  }, [content]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs focus to be scrolled by keys.
    <pre className={classes.text} tabIndex={0}>
      {text}
      {content.size > longestPreview && '\n…'}
    </pre>
  );
}

type Props = { readonly task: FullTask; readonly viewer: SignedIn };

/** A task's files, running uploads, and the drop zone. */
export function TaskFiles({ task, viewer }: Props) {
  const { task: known, owner, actions } = useTaskRules(viewer, task);
  const uploads = useUploads(task.id);
  const [previewed, setPreviewed] = useState<Attachment | null>(null);
  if (task.attachments.length === 0 && uploads.length === 0 && !actions.attach) return null;
  return (
    <TaskSection title="Files" count={task.attachments.length}>
      {task.attachments.length + uploads.length > 0 && (
        <ul className={classes.files}>
          {task.attachments.map((file) => (
            <FileRow
              key={file.id}
              taskId={task.id}
              file={file}
              canRemove={removalRefusal(viewer, known, owner, file.userId, 'file') === null}
              onPreview={setPreviewed}
            />
          ))}
          {uploads.map((upload) => (
            <UploadRow key={upload.id} upload={upload} />
          ))}
        </ul>
      )}
      {actions.attach && <FileDrop taskId={task.id} />}
      <FilePreview taskId={task.id} file={previewed} onClose={() => setPreviewed(null)} />
    </TaskSection>
  );
}

function FileDrop({ taskId }: { taskId: string }) {
  const client = useQueryClient();
  const attach = (files: readonly File[]) => addUploads(client, taskId, files);
  usePastedFiles(attach);
  return (
    <Dropzone
      className={classes.drop}
      // Every file gets a row, even a rejected one, which shows the reason.
      onDrop={attach}
      inputProps={{ accept: acceptedExtensions.join(','), 'aria-label': 'Choose files' }}
      aria-label="Attach files: drop, paste or choose"
      enablePointerEvents
    >
      <p className={classes.dropWords}>
        <span>
          Drop files, paste, or <span className={classes.choose}>choose them</span>
        </span>
        <span className={classes.limit}>At most {config().attachmentMegabytes} MB each</span>
      </p>
    </Dropzone>
  );
}

/** A field takes text, also where the clipboard has a picture of it, as with cells of a spreadsheet. */
const isTextIntoField = ({ target, clipboardData }: ClipboardEvent): boolean =>
  target instanceof HTMLElement &&
  target.matches('input, textarea, [contenteditable]') &&
  clipboardData?.getData('text/plain') !== '';

/** Attaches images pasted anywhere on the page. */
function usePastedFiles(attach: (files: readonly File[]) => void): void {
  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      const files = [...(event.clipboardData?.files ?? [])];
      if (files.length === 0 || isTextIntoField(event)) return;
      event.preventDefault();
      attach(files);
    };
    window.addEventListener('paste', paste);
    return () => window.removeEventListener('paste', paste);
  });
}
