// Checks that a file's content matches its name. Type detection once hung on 55 crafted bytes, so a worker
// does it, and is replaced when it dies or takes longer than a second.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { refuse } from '#core/base/refusals.ts';
import { encodedText, fileKindOf, fileKinds } from '#core/tasks/files.ts';
import { RefusalError } from '#server/platform/graphql/refusal-error.ts';

/** The number of bytes that are checked. */
export const headBytes = 4_096;
const longestLookMs = 1_000;
/** A busy machine starts a thread slowly, which says nothing about the file. */
const longestStartMs = 30_000;
const mostWaiting = 100;

const look = `
  const { parentPort } = require('node:worker_threads');
  import('file-type').then(({ fileTypeFromBuffer }) => {
    parentPort.on('message', async (head) => parentPort.postMessage((await fileTypeFromBuffer(head))?.mime ?? null));
    parentPort.postMessage('ready');
  });
`;

type Look = { readonly head: Uint8Array; readonly resolve: (type: string | null) => void };

/** A worker that checks one file after the other. Starts with the first file and stays. */
export class TypeReader {
  readonly #script: string;
  #worker: Worker | null = null;
  readonly #waiting: Look[] = [];
  #isLooking = false;

  constructor(script = look) {
    this.#script = script;
  }

  /** The type by the first bytes, or null if unknown. Throws when too many files wait. */
  read(head: Uint8Array): Promise<string | null> {
    if (this.#waiting.length >= mostWaiting)
      return Promise.reject(new RefusalError(refuse('TOO_MANY_ATTEMPTS'), { retryAfter: 5 }));
    const { promise, resolve } = Promise.withResolvers<string | null>();
    this.#waiting.push({ head, resolve });
    if (!this.#isLooking) void this.#lookAtAll();
    return promise;
  }

  async #lookAtAll(): Promise<void> {
    this.#isLooking = true;
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift())
      next.resolve(await this.#lookAt(next.head));
    this.#isLooking = false;
  }

  async #lookAt(head: Uint8Array): Promise<string | null> {
    try {
      this.#worker ??= await this.#start();
      const answer = answerOf(this.#worker, longestLookMs);
      this.#worker.postMessage(head);
      return await answer;
    } catch {
      await this.#worker?.terminate();
      this.#worker = null;
      return null;
    }
  }

  async #start(): Promise<Worker> {
    const worker = new Worker(this.#script, { eval: true, resourceLimits: { maxOldGenerationSizeMb: 64 } });
    worker.on('error', () => {});
    worker.once('exit', () => {
      if (this.#worker === worker) this.#worker = null;
    });
    worker.unref();
    try {
      await answerOf(worker, longestStartMs);
      return worker;
    } catch (error) {
      await worker.terminate();
      throw error;
    }
  }
}

/** Throws if the worker ends or takes too long. */
async function answerOf(worker: Worker, longestMs: number): Promise<string | null> {
  const ended = new AbortController();
  const signal = AbortSignal.any([ended.signal, AbortSignal.timeout(longestMs)]);
  const fail = () => ended.abort();
  worker.once('exit', fail);
  try {
    const [answer] = (await once(worker, 'message', { signal })) as [string | null];
    return answer;
  } finally {
    worker.off('exit', fail);
  }
}

const reader = new TypeReader();

export const typeOfContent = (head: Uint8Array): Promise<string | null> => reader.read(head);

/**
 * Containers whose type 4 KB often don’t show: new office documents are zips. Old ones are compound files, as
 * are new ones with a password.
 */
const zip = 'application/zip';
const compound = 'application/x-cfb';

const images = new Set(Object.values(fileKinds).flatMap(({ mime, preview }) => (preview === 'image' ? [mime] : [])));

/** The MIME type to store, or null if the content doesn't match the name. */
export async function acceptedType(fileName: string, head: Uint8Array, isUtf8: boolean): Promise<string | null> {
  const kind = fileKindOf(fileName);
  if (kind === null) return null;
  // Text has no signature; it was checked byte by byte when it was received.
  if (kind.check === 'text') return isUtf8 ? kind.mime : encodedText;
  const found = await typeOfContent(head);
  // Browsers save images under the ending that the page's address has.
  if (kind.preview === 'image') return found !== null && images.has(found) ? found : null;
  const isOpenXml = kind.mime.includes('openxmlformats');
  const isInside =
    (found === zip && (isOpenXml || kind.mime.includes('opendocument'))) || (found === compound && isOpenXml);
  return found === kind.mime || isInside ? kind.mime : null;
}
