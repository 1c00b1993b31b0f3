// Decides which files may be attached and how their names are kept (spec 3).
// Asked by the upload, the download and the web's drop zone.
import { refusals } from '../base/refusals.ts';

/** How the content of a type is recognised: by its first bytes, or as text without NUL. */
type FileKind = { readonly mime: string; readonly check: 'magic' | 'text'; readonly preview: 'image' | 'text' | null };

const image = (mime: string): FileKind => ({ mime, check: 'magic', preview: 'image' });
const text = (mime: string): FileKind => ({ mime, check: 'text', preview: 'text' });
const binary = (mime: string): FileKind => ({ mime, check: 'magic', preview: null });

/** By lower-case extension. SVG, HTML and XML are not here on purpose: a browser would run them. */
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

/** The kind that a name claims by its extension, or null for a type that is not accepted. */
export function fileKindOf(fileName: string): FileKind | null {
  const dot = fileName.lastIndexOf('.');
  const extension = fileName.slice(dot + 1).toLowerCase();
  return dot !== -1 && Object.hasOwn(fileKinds, extension) ? (fileKinds[extension] ?? null) : null;
}

/** Everything that speaks against a file, or null. What it contains is looked at by the server alone. */
export function fileProblem({ name, size }: { name: string; size: number }, megabytes: number): string | null {
  const problems = [
    fileKindOf(name) ? '' : refusals.FILE_TYPE_NOT_ALLOWED.message,
    size === 0 ? 'The file is empty' : '',
    size > megabytes * 1_000_000 ? `${refusals.FILE_TOO_LARGE.message}: at most ${megabytes} MB` : '',
  ];
  return problems.filter(Boolean).join('. ') || null;
}

/** How long a file's link is good, in seconds; rights are checked again when it is used. */
export const fileLinkSeconds = 600;

const escapedInForms: Readonly<Record<string, string>> = { '%22': '"', '%0D': '\r', '%0A': '\n' };

/** The name as it was before the browser wrote it into a form, which escapes these three and nothing else. */
export function nameFromForm(name: string): string {
  return name.replace(/%22|%0D|%0A/g, (escaped) => escapedInForms[escaped] ?? escaped);
}

const longestFileName = 255;
// Control characters, the marks that turn text around, and what separates paths.
const unsafeInNames = /[\p{Cc}\p{Bidi_Control}/\\]/gu;

/** The name to show and to save under: composed form, without control or direction marks or path separators, at most 255 bytes of UTF-8. */
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

/** Cuts before the extension, by code point. An upper bound of 3 bytes a UTF-16 unit keeps this free of an encoder. */
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
