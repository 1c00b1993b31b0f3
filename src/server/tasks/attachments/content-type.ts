// Whether a file is what its name says. What comes from outside is looked at in a worker that is ended after a second of looking:
// recognising a type has hung before on 55 bytes made for it. How long the worker takes to begin says nothing about the file.
import { Worker } from 'node:worker_threads';
import { fileKindOf } from '#core/tasks/files.ts';

/** As many bytes as are looked at. */
export const headBytes = 4_096;
const longestLookMs = 1_000;

const look = `
  const { parentPort } = require('node:worker_threads');
  import('file-type').then(({ fileTypeFromBuffer }) => {
    parentPort.once('message', async (head) => parentPort.postMessage((await fileTypeFromBuffer(head))?.mime ?? null));
    parentPort.postMessage('ready');
  });
`;

/** The type that the first bytes tell, or null for none that is known. */
export async function typeOfContent(head: Uint8Array): Promise<string | null> {
  const worker = new Worker(look, { eval: true, resourceLimits: { maxOldGenerationSizeMb: 64 } });
  const { promise, resolve } = Promise.withResolvers<string | null>();
  let timer: NodeJS.Timeout | undefined;
  worker.once('message', () => {
    worker.once('message', resolve);
    worker.postMessage(head);
    timer = setTimeout(resolve, longestLookMs, null);
  });
  worker.once('error', () => resolve(null));
  worker.once('exit', () => resolve(null));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}

/** Containers whose inside 4 KB may not tell: an office document is a zip, the old ones are compound files. */
const zip = 'application/zip';

/** The MIME type to keep for the file, or null when its content is not what its name says. */
export async function acceptedType(fileName: string, head: Uint8Array): Promise<string | null> {
  const kind = fileKindOf(fileName);
  if (kind === null) return null;
  // Texts have no mark of their own; that they are texts was checked byte by byte as they came in.
  if (kind.check === 'text') return kind.mime;
  const found = await typeOfContent(head);
  const isZipInside = found === zip && (kind.mime.includes('openxmlformats') || kind.mime.includes('opendocument'));
  return found === kind.mime || isZipInside ? kind.mime : null;
}
