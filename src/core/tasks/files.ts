// Decides which files can be attached, how many, and how their names are stored (spec 3). Used by the upload,
// the download and the web's drop zone.
import { taskLimits } from '../base/limits.ts';
import { type Refusal, refusals, refuse } from '../base/refusals.ts';

/** How a type's content is recognized: by its first bytes, or as text. */
type FileKind = { readonly mime: string; readonly check: 'magic' | 'text'; readonly preview: 'image' | 'text' | null };

const image = (mime: string): FileKind => ({ mime, check: 'magic', preview: 'image' });
const text = (mime: string): FileKind => ({ mime, check: 'text', preview: 'text' });
const binary = (mime: string): FileKind => ({ mime, check: 'magic', preview: null });

/** By lowercase extension. Excludes SVG, HTML and XML on purpose: a browser would run them. */
export const fileKinds: Readonly<Record<string, FileKind>> = {
  png: image('image/png'),
  jpg: image('image/jpeg'),
  jpeg: image('image/jpeg'),
  gif: image('image/gif'),
  webp: image('image/webp'),
  avif: image('image/avif'),
  pdf: binary('application/pdf'),
  txt: text('text/plain'),
  md: text('text/markdown'),
  csv: text('text/csv'),
  json: text('application/json'),
  log: text('text/plain'),
  docx: binary('application/vnd.openxmlformats-officedocument.wordprocessingml.document'),
  xlsx: binary('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'),
  pptx: binary('application/vnd.openxmlformats-officedocument.presentationml.presentation'),
  odt: binary('application/vnd.oasis.opendocument.text'),
  ods: binary('application/vnd.oasis.opendocument.spreadsheet'),
  odp: binary('application/vnd.oasis.opendocument.presentation'),
  doc: binary('application/x-cfb'),
  xls: binary('application/x-cfb'),
  ppt: binary('application/x-cfb'),
  zip: binary('application/zip'),
  mp4: binary('video/mp4'),
  webm: binary('video/webm'),
};

/** The kind by the name's extension, or null for an unaccepted type. */
export function fileKindOf(fileName: string): FileKind | null {
  const dot = fileName.lastIndexOf('.');
  const extension = fileName.slice(dot + 1).toLowerCase();
  return dot !== -1 && Object.hasOwn(fileKinds, extension) ? (fileKinds[extension] ?? null) : null;
}

/** The type of text whose encoding only its reader knows. */
export const encodedText = 'application/octet-stream';

/** How the file can be shown: by its name, but a text only if it is UTF-8. */
export const previewOf = ({ fileName, mime }: { readonly fileName: string; readonly mime: string }) =>
  mime === encodedText ? null : (fileKindOf(fileName)?.preview ?? null);

/** Why a file is rejected, or null. Only the server checks the content. */
export function fileProblem({ name, size }: { name: string; size: number }, megabytes: number): string | null {
  const problems = [
    fileKindOf(name) ? '' : refusals.FILE_TYPE_NOT_ALLOWED.message,
    size === 0 ? 'The file is empty' : '',
    size > megabytes * 1_000_000 ? `${refusals.FILE_TOO_LARGE.message}. The limit is ${megabytes} MB` : '',
  ];
  return problems.filter(Boolean).join('. ') || null;
}

/** How long a removed file is kept and can be restored. Then its content is deleted; its row stays. */
export const removedFileDays = 30;

/** The content of files removed before this is deleted. */
export const removedFilesKeptSince = (now: Temporal.Instant): Temporal.Instant =>
  now.subtract({ hours: 24 * removedFileDays });

/** Why the task has no room for another file, or null. `shown`: of its owner or of everyone else. */
export function filesFullRefusal(shown: number): Refusal | null {
  const { files } = taskLimits;
  if (shown < files) return null;
  return refuse(
    'TRANSITION_NOT_ALLOWED',
    `A task can have up to ${files} files from its owner and ${files} from other people. Remove one you no longer need`,
  );
}

/** Why a removed file can't come back, or null. */
export function goneFileRefusal(removedAt: Temporal.Instant, now: Temporal.Instant): Refusal | null {
  return Temporal.Instant.compare(removedAt, removedFilesKeptSince(now)) < 0
    ? refuse('TOO_LATE', `This file was removed over ${removedFileDays} days ago and has been deleted. Attach it again`)
    : null;
}

/** `attached`: the bytes of the files that the person attached within a day, in all tasks. */
export function bytesOfDayRefusal(attached: number, more: number): Refusal | null {
  if (attached + more <= taskLimits.fileBytesADay) return null;
  const gigabytes = taskLimits.fileBytesADay / 1e9;
  return refuse('TOO_MANY_ATTEMPTS', `You can attach up to ${gigabytes} GB of files within 24 hours. Try again later`);
}

/** How long a file's link is valid, in seconds; permissions are checked again on use. */
export const fileLinkSeconds = 600;

const escapedInForms: Readonly<Record<string, string>> = { '%22': '"', '%0D': '\r', '%0A': '\n' };

/** The original name: browsers escape these three characters in forms and nothing else. */
export function nameFromForm(name: string): string {
  return name.replace(/%22|%0D|%0A/g, (escaped) => escapedInForms[escaped] ?? escaped);
}

const longestFileName = 255;
// Control characters, direction marks and path separators.
const unsafeInNames = /[\p{Cc}\p{Bidi_Control}/\\]/gu;

/**
 * The name for display and saving: composed form, without control characters, direction marks or path
 * separators, at most 255 bytes of UTF-8.
 */
export function safeFileName(name: string): string {
  const clean = name
    .toWellFormed()
    .normalize('NFC')
    .replace(unsafeInNames, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[. ]+/, '')
    .trim();
  return shortened(clean || 'file');
}

/** Cuts before the extension, by code point. Assumes 3 bytes per UTF-16 unit, which needs no encoder. */
function shortened(name: string): string {
  const limit = Math.floor(longestFileName / 3);
  if (name.length <= limit) return name;
  const dot = name.lastIndexOf('.');
  const extension = dot > 0 && name.length - dot <= 12 ? name.slice(dot) : '';
  return `${[...name.slice(0, limit - extension.length)]
    .join('')
    .toWellFormed()
    .replace(/\ufffd$/, '')
    .trimEnd()}${extension}`;
}
