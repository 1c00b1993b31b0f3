// The form of `POST /attachment` (spec 7): `attachment`, `taskId` and `authorization`, in any order.
import { rm } from 'node:fs/promises';
import type { Multipart } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { callAccess } from '#core/access/call-access.ts';
import { readInput } from '#core/base/inputs.ts';
import { refuse } from '#core/base/refusals.ts';
import { nameFromForm } from '#core/tasks/files.ts';
import { taskIdInput } from '#core/tasks/task-inputs.ts';
import { authorize } from '#server/access/auth/route-access.ts';
import type { RequestContext, Services, SignedInPerson } from '#server/platform/context.ts';
import { inPersonTurn } from '#server/platform/graphql/person-turns.ts';
import { orThrow, RefusalError } from '#server/platform/graphql/refusal-error.ts';
import { addressBucket } from '#server/platform/http/address-bucket.ts';
import { requestContext } from '#server/platform/request-context.ts';
import { bearerToken, fieldToken, tokenHash } from '#server/platform/viewer.ts';
import { assertMayAttach } from '../task-files.service.ts';
import { type IncomingFile, inspect, type ReceivedFile, takeIn } from './incoming-file.ts';
import { crowded, TransferPlaces } from './transfer-places.ts';

export type Upload = { readonly context: RequestContext; readonly taskId: string; readonly file: IncomingFile };

const bytesOfMegabyte = 1024 * 1024;
/** The limit for other fields and boundaries. */
const formBytes = 16 * 1024;
/** Concurrent uploads of unknown senders: each can take a whole file's disk space. */
const mostUnknown = 40;
/** Their limit per address. */
const mostUnknownPerAddress = 5;
/** After a grace period they must send this many bytes a second, to make room. */
const unknownPace = { graceMs: 10_000, bytes: 64 * 1024 };

const uploads = new TransferPlaces({ ofSession: 5, ofPerson: 15 });
let unknownUploads = 0;

async function amongUnknown<T>(address: string, work: () => Promise<T>): Promise<T> {
  if (unknownUploads >= mostUnknown) throw crowded();
  const free = uploads.take(`address ${addressBucket(address)}`, mostUnknownPerAddress);
  unknownUploads += 1;
  return work().finally(() => {
    unknownUploads -= 1;
    free();
  });
}

const badForm = (field: string, message: string) => new RefusalError(refuse('BAD_INPUT', message, { field }));

/** The fields of the form; the header counts like the `authorization` field. */
class Form {
  readonly #services: Services;
  readonly #request: FastifyRequest;
  readonly #fields = new Map<string, string>();

  constructor(services: Services, request: FastifyRequest) {
    this.#services = services;
    this.#request = request;
  }

  add({ fieldname, value, valueTruncated }: { fieldname: string; value: unknown; valueTruncated: boolean }): void {
    if (fieldname !== 'taskId' && fieldname !== 'authorization')
      throw badForm(fieldname, `${fieldname} isn’t a known field`);
    if (typeof value !== 'string' || valueTruncated || this.#fields.has(fieldname))
      throw badForm(fieldname, `${fieldname} must be given once, as text`);
    this.#fields.set(fieldname, value);
  }

  get namesTask(): boolean {
    return this.#fields.has('taskId');
  }

  /** Undefined until the form has one. */
  #token(): string | null | undefined {
    const { authorization } = this.#request.headers;
    const field = this.#fields.get('authorization');
    if (authorization !== undefined) return bearerToken(authorization);
    return field === undefined ? undefined : fieldToken(field);
  }

  /** The hash of the token. */
  session(): string {
    return tokenHash(this.#token() ?? '').toString('hex');
  }

  /** The sender, once known; null before. */
  async sender(): Promise<SignedInPerson | null> {
    const token = this.#token();
    return token === undefined ? null : authorize(this.#services, token, callAccess.tasks, this.#request);
  }

  /**
   * The sender and the task; throws if the upload isn't allowed. Called before the file comes, and again when
   * it is received.
   */
  async allowed(): Promise<{ context: RequestContext; taskId: string }> {
    const viewer = await this.sender();
    if (viewer === null) throw new RefusalError(refuse('NOT_SIGNED_IN'));
    const { taskId } = orThrow(readInput(taskIdInput, { taskId: this.#fields.get('taskId') }));
    const token = this.#token();
    const context = {
      ...requestContext(this.#services, this.#request, viewer),
      session: token ? tokenHash(token) : null,
    };
    await inPersonTurn(context, 'change', () => assertMayAttach(context, taskId));
    return { context, taskId };
  }
}

/** The parser's errors about the form: a premature end, or an invalid boundary. They have no code. */
const faultsOfForms = new WeakSet<object>();

function isFaultOfForm(error: unknown): boolean {
  // A refusal ends the file's stream too, but isn't a fault of the form.
  if (error instanceof RefusalError) return false;
  const { code } = error as { code?: unknown };
  return code === 'ERR_STREAM_PREMATURE_CLOSE' || (code === undefined && faultsOfForms.has(error as object));
}

/** The form's parts; marks the form's errors. */
async function* partsOf(request: FastifyRequest, limit: number): AsyncGenerator<Multipart> {
  const limits = { files: 1, fields: 4, parts: 5, fieldSize: 1_024, fieldNameSize: 100, headerPairs: 20 };
  const remember = (error: unknown) => faultsOfForms.add(error as object);
  try {
    for await (const part of request.parts({ limits: { ...limits, fileSize: limit + 1 } })) {
      // A truncated file fails as a stream, possibly several times while its sender is looked up.
      if (part.type === 'file' && part.file.errored) remember(part.file.errored);
      else if (part.type === 'file') part.file.on('error', remember);
      yield part;
    }
  } catch (error) {
    remember(error);
    throw error;
  }
}

/** The limit between two parts, including what was read ahead. */
const betweenParts = 1024 * 1024;
const looksEveryMs = 250;

/** The parser would read an endless header or field forever, so its sender is disconnected. */
class Patience {
  readonly #request: FastifyRequest['raw'];
  readonly #timer: NodeJS.Timeout;
  #most = Number.POSITIVE_INFINITY;
  #paced: { readonly since: number; readonly from: number } | null = null;

  constructor({ raw }: FastifyRequest) {
    this.#request = raw;
    this.#timer = setInterval(() => {
      if (raw.socket.bytesRead > this.#most || this.#isBehind()) raw.destroy();
    }, looksEveryMs).unref();
    this.waitForPart();
  }

  /** From now on the sender must keep the pace of unknown senders. */
  askPace(): void {
    this.#paced = { since: performance.now(), from: this.#request.socket.bytesRead ?? 0 };
  }

  #isBehind(): boolean {
    if (this.#paced === null) return false;
    const ms = performance.now() - this.#paced.since - unknownPace.graceMs;
    return this.#request.socket.bytesRead - this.#paced.from < (ms / 1_000) * unknownPace.bytes;
  }

  waitForPart(): void {
    this.#paced = null;
    this.#most = (this.#request.socket.bytesRead ?? 0) + betweenParts;
  }

  /** The file's content has its own limit. */
  takePart(): void {
    this.#most = Number.POSITIVE_INFINITY;
  }

  end(): void {
    clearInterval(this.#timer);
  }
}

/** Reads the form with its file. If the fields came first, checks permission before the file's bytes. */
export async function readUpload(services: Services, request: FastifyRequest): Promise<Upload> {
  const limit = services.settings().attachmentMegabytes * bytesOfMegabyte;
  if (Number(request.headers['content-length'] ?? 0) > limit + formBytes)
    throw new RefusalError(refuse('FILE_TOO_LARGE', undefined, { field: 'attachment' }));
  const form = new Form(services, request);
  const patience = new Patience(request);
  let file: ReceivedFile | undefined;
  try {
    for await (const part of partsOf(request, limit)) {
      patience.takePart();
      if (part.type === 'file') file = await takePart(services, request, { form, patience }, part, limit);
      else form.add(part);
      patience.waitForPart();
    }
    const { context, taskId } = await form.allowed();
    if (!file) throw badForm('attachment', 'attachment must be a file');
    // Others that began at the same time used the same room.
    await assertRoomOnDisk(services, 0);
    return { context, taskId, file: await inspect(file) };
  } catch (error) {
    if (file) await rm(file.path, { force: true });
    throw isFaultOfForm(error) ? new RefusalError(refuse('BAD_REQUEST')) : error;
  } finally {
    patience.end();
  }
}

/** A full disk would stop the database, so uploads end before. */
async function assertRoomOnDisk({ files }: Services, bytes: number): Promise<void> {
  if (await files.isFullWith(bytes)) throw new RefusalError(refuse('OUT_OF_SPACE'));
}

async function takePart(
  services: Services,
  request: FastifyRequest,
  { form, patience }: { readonly form: Form; readonly patience: Patience },
  part: Extract<Multipart, { type: 'file' }>,
  limit: number,
): Promise<ReceivedFile> {
  if (part.fieldname !== 'attachment') throw badForm(part.fieldname, `${part.fieldname} isn’t a known field`);
  await assertRoomOnDisk(services, Number(request.headers['content-length'] ?? limit));
  const take = () => takeIn(part.file, nameFromForm(part.filename ?? ''), { folder: services.files.incoming, limit });
  const sender = await form.sender();
  if (sender !== null && form.namesTask) await form.allowed();
  if (sender !== null) {
    const free = uploads.takeOwn(sender.id, form.session());
    return take().finally(free);
  }
  patience.askPace();
  return amongUnknown(request.ip, take);
}
