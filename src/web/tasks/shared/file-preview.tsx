import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { previewOf } from '#core/tasks/files.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import { Loading, SkeletonBlock } from '#web/ui/skeleton.tsx';
import { readFileContent } from './file-link.ts';
import classes from './files.module.css';
import type { Attachment } from './queries.ts';

/** The start of a text is enough. */
const longestPreview = 100_000;

type Props = { readonly taskId: string; readonly file: Attachment | null; readonly onClose: () => void };

/** Previews an image or text without leaving the task. */
export function FilePreview({ taskId, file, onClose }: Props) {
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
