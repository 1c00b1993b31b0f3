import { Dropzone } from '@mantine/dropzone';
import '@mantine/dropzone/styles.layer.css';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { removalRefusal } from '#core/tasks/task.ts';
import { config } from '#web/api/config.ts';
import type { SignedIn } from '#web/api/viewer.ts';
import { FilePreview } from './file-preview.tsx';
import { FileRow, UploadRow } from './file-row.tsx';
import classes from './files.module.css';
import type { Attachment, FullTask } from './queries.ts';
import { useTaskRules } from './rules.ts';
import { TaskSection } from './section.tsx';
import { acceptedExtensions, addUploads, useUploads } from './uploads.ts';

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
