// `POST /attachment` receives a file, `GET /attachment/<id>` serves one to anyone with a valid link (spec 7).
import { Readable } from 'node:stream';
import multipart from '@fastify/multipart';
import { create as contentDisposition } from 'content-disposition';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { callAccess } from '#core/access/call-access.ts';
import type { LinkPerson } from '#server/access/auth/route-access.ts';
import type { Services } from '#server/platform/context.ts';
import { afterReply } from '#server/platform/http/after-reply.ts';
import { signalOfCaller } from '#server/platform/http/signal-of-caller.ts';
import { endSlowReader } from '#server/platform/http/slow-reader.ts';
import { clearAway, type OpenedFile, openAttachment, storeAttachment, whileVisible } from './attachments.service.ts';
import { assertGoodLink, type LinkQuery, linkFor } from './file-links.ts';
import { TransferPlaces } from './transfer-places.ts';
import { readUpload } from './upload.ts';

const clearingMs = 6 * 3_600_000;

const text = { type: 'string', maxLength: 200 } as const;
const linkQuery = {
  type: 'object',
  properties: {
    person: { ...text, pattern: '^[1-9]\\d{0,17}$' },
    session: text,
    expires: { ...text, pattern: '^\\d{1,12}$' },
    signature: text,
    inline: { enum: ['1'] },
  },
  required: ['person', 'session', 'expires', 'signature'],
  additionalProperties: false,
} as const;
const idParams = { type: 'object', properties: { id: { ...text, pattern: '^[1-9]\\d{0,17}$' } } } as const;

/** A page shows the images of a task at once. */
const downloads = new TransferPlaces({ ofSession: 30, ofPerson: 60 });

type Download = { Params: { id: string }; Querystring: LinkQuery & { inline?: '1' } };

export async function registerAttachments(app: FastifyInstance, services: Services): Promise<void> {
  await app.register(async (scope) => {
    await scope.register(multipart);
    // A refused body isn't read to its end.
    scope.addHook('onError', async (_request, reply) => {
      reply.header('connection', 'close');
    });
    const form = { access: callAccess.tasks, credentials: 'form', turn: 'own' } as const;
    scope.post('/attachment', { config: form }, async (request, reply) => {
      const { context, taskId, file } = await readUpload(services, request);
      const { storageKey: _storageKey, ...attachment } = await storeAttachment(context, taskId, file);
      return reply.code(201).send({ attachment: { ...attachment, url: linkFor(context, attachment) } });
    });
  });
  app.get<Download>(
    '/attachment/:id',
    {
      config: { access: callAccess.tasks, credentials: 'link', turn: (request) => personOfLink(services, request) },
      schema: { params: idParams, querystring: linkQuery },
    },
    async (request, reply) => {
      const { id } = request.params;
      const { inline, ...link } = request.query;
      const free = downloads.takeOwn(link.person, link.session);
      const opened = await openAttachment(services, id, link, signalOfCaller(reply)).catch((error) => {
        free();
        throw error;
      });
      // Nothing else closes the file of someone who left before the first byte.
      afterReply(reply, () => {
        opened.content.destroy();
        free();
      });
      opened.content.on('error', () => {});
      const content = endSlowReader(reply.raw, whileVisible(services, id, link, opened.content));
      // A HEAD request is answered before its content would be read, which would be logged as an error.
      const sent = request.method === 'HEAD' ? [] : content;
      return withFileHeaders(reply, opened, inline === '1').send(Readable.from(sent, { objectMode: false }));
    },
  );
  const timer = setInterval(() => {
    clearAway(services).catch((error) => services.log.warn({ err: error }, 'unreferenced files could not be deleted'));
  }, clearingMs).unref();
  app.addHook('onClose', async () => clearInterval(timer));
}

/** Throws unless the link was made here. */
function personOfLink(services: Services, request: FastifyRequest): LinkPerson {
  const { params, query } = request as FastifyRequest<Download>;
  assertGoodLink(services, params.id, query);
  return { id: query.person, link: query.session };
}

/** Served as a download, never run: only images and plain text are displayed, and even those in a sandbox. */
function withFileHeaders(reply: FastifyReply, { file, preview }: OpenedFile, asked: boolean): FastifyReply {
  const inline = asked && preview !== null;
  const type = preview === 'text' ? 'text/plain; charset=utf-8' : file.mime;
  return reply.headers({
    'content-type': type,
    'content-length': file.size,
    'content-disposition': contentDisposition(file.fileName, { type: inline ? 'inline' : 'attachment' }),
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, no-store',
  });
}
