// `POST /api/import/<dataset>` imports a file of rows, by service token or by a person; also the wizard's
// preview of a file's start, and the report of rejected rows.
import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { callAccess } from '#core/access/call-access.ts';
import { readInput } from '#core/base/inputs.ts';
import { refuse } from '#core/base/refusals.ts';
import { type DatasetKey, isDataset } from '#core/numbers/datasets.ts';
import { importInput, importLimits } from '#core/numbers/imports.ts';
import type { Services } from '#server/platform/context.ts';
import { holdsSlot, inSlot, takeSlot } from '#server/platform/db/work-slots.ts';
import { inAddressTurn, inPersonTurn } from '#server/platform/graphql/person-turns.ts';
import { orThrow, RefusalError } from '#server/platform/graphql/refusal-error.ts';
import { addressBucket } from '#server/platform/http/address-bucket.ts';
import { signalOfCaller } from '#server/platform/http/signal-of-caller.ts';
import { withoutMarks } from '#server/platform/imports/fault-report.ts';
import { repeat } from '#server/platform/repeat.ts';
import { registerTicketDownload } from '#server/platform/tickets/ticket-download.ts';
import { sessionOf } from '#server/platform/viewer.ts';
import {
  hasRecentProof,
  isSessionEnded,
  mayStillSend,
  mustImportTo,
  mustReach,
  readSender,
  type Sender,
} from './import-access.ts';
import { mappingByName, orRefused } from './import-mappings.service.ts';
import { previewImport, previewInput } from './import-preview.ts';
import { redeemReportTicket } from './import-reports.service.ts';
import { importRun, startRun } from './import-runs.service.ts';
import { assertSize, takeRowsIn } from './incoming-rows.ts';
import { assertUndoRoom } from './kept-changes.service.ts';

/** The sample in base64, and the mapping. */
const previewBody = 2 * importLimits.partsSample;

type ImportCall = { Params: { dataset: string }; Querystring: Record<string, string> };

export async function registerImport(app: FastifyInstance, services: Services): Promise<void> {
  await app.register(async (scope) => {
    // The body is a file of any type: it is inspected and never parsed by its declared type.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
    // A refused body isn't read to its end.
    scope.addHook('onError', async (_request, reply) => {
      reply.header('connection', 'close');
    });
    scope.post<ImportCall>(
      '/api/import/:dataset',
      { config: { access: callAccess.people, credentials: 'file', turn: 'own' } },
      async (request, reply) => {
        const { id, ended, isWaitedFor } = await takeImport(services, request, reply);
        if (!isWaitedFor) return reply.code(202).send({ run: id });
        await ended;
        return reply.send(await reportOfRun(services, id));
      },
    );
  });
  app.post<{ Params: { dataset: string }; Body: object }>(
    '/api/import/:dataset/preview',
    {
      config: { access: callAccess.people, turn: 'own' },
      bodyLimit: previewBody,
      // Before the body is read.
      preParsing: async (request) => mustImportTo(request.viewer!, datasetOfPath(request.params.dataset)),
    },
    async (request, reply) => {
      const dataset = datasetOfPath(request.params.dataset);
      mustImportTo(request.viewer!, dataset);
      const input = orThrow(readInput(previewInput, request.body ?? {}));
      const preview = () => previewImport(services, dataset, input, signalOfCaller(reply));
      return orRefused(() => inSlot(services.database, 'importPreview', preview, { holder: request.viewer!.id }));
    },
  );
  registerTicketDownload(app, {
    services,
    path: '/api/import/report',
    slot: 'export',
    access: callAccess.people,
    redeem: (ticket) => redeemReportTicket(services, ticket),
  });
}

function datasetOfPath(text: string): DatasetKey {
  if (!isDataset(text)) throw new RefusalError(refuse('NOT_FOUND', `Unknown dataset "${text.slice(0, 60)}"`));
  return text;
}

async function allowedSender(services: Services, request: FastifyRequest<ImportCall>): Promise<Sender> {
  const sender = await readSender(services, request);
  mustReach(sender, datasetOfPath(request.params.dataset));
  return sender;
}

const unproven = (personId: string): string => `unproven ${personId}`;

/** Who holds the slot until the file is there, and who later. */
function holdersOf({ person, serviceToken }: Sender, isDryRun: boolean, isProven: boolean): [string, string | null] {
  if (person && !isProven) return [person.id, unproven(person.id)];
  if (person) return [person.id, isDryRun ? `dry run of ${person.id}` : null];
  const token = `token ${serviceToken.id}`;
  return [token, token];
}

const lookMs = 2_000;

const uploadEnded = 'The upload stopped because its session ended or was renewed. Send the file again';

/** Ends an upload that its sender can't finish any more: a slow one would keep its owner's slot for hours. */
async function whileAllowed<Result>(
  services: Services,
  sender: Sender,
  dataset: DatasetKey,
  receive: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const ended = new AbortController();
  const looks = repeat(lookMs, async () => {
    try {
      if (await isSessionEnded(services, sender)) ended.abort(new RefusalError(refuse('NOT_SIGNED_IN', uploadEnded)));
      else if (!(await mayStillSend(services, sender, dataset)))
        ended.abort(new RefusalError(refuse('NOT_SIGNED_IN', 'The sender can no longer import')));
    } catch (error) {
      services.log.warn({ err: error }, 'the sender of a file could not be read');
    }
  });
  return receive(ended.signal).finally(() => looks.stop());
}

/** Returns whether the sender proved lately who they are. */
async function assertRoomFor(services: Services, request: FastifyRequest, sender: Sender, isDryRun: boolean) {
  const isProven = await hasRecentProof(services, request, sender);
  if (!isDryRun && !isProven) await assertUndoRoom(services, sender.person?.id);
  // A stolen token must leave a slot to others, because its files can run for hours.
  if (sender.person && !isProven && (await holdsSlot(services.database, unproven(sender.person.id))))
    throw new RefusalError(refuse('CONFIRM_IDENTITY'));
  return isProven;
}

async function takeImport(services: Services, request: FastifyRequest<ImportCall>, reply: FastifyReply) {
  // The sender must be known before any of the body is read.
  const look = () => allowedSender(services, request);
  const sender = await inAddressTurn(addressBucket(request.ip), 'import', look);
  const dataset = datasetOfPath(request.params.dataset);
  const input = orThrow(readInput(importInput, { ...request.query, dataset }));
  const fileName = input.fileName ?? 'The file';
  const isDryRun = input.dryRun === '1' || input.dryRun === 'true';
  const isWaitedFor = input.wait !== 'no';
  const signal = isWaitedFor ? signalOfCaller(reply) : undefined;
  const mappingBytes = Number(input.mappingBytes ?? 0);
  // A token imports by the mappings that people saved.
  if (mappingBytes > 0 && !sender.person) throw new RefusalError(refuse('FORBIDDEN'));
  assertSize(request.headers['content-length'], mappingBytes);
  const viewer = { id: sender.person?.id ?? `token ${sender.serviceToken?.id}` };
  const asking = { viewer, session: sessionOf(request), config: services.config };
  const isProven = await inPersonTurn(asking, 'light', async () => {
    if (mappingBytes === 0) await mappingByName(services, dataset, input.mapping);
    return assertRoomFor(services, request, sender, isDryRun);
  });
  // Taken before the body is read: a file that can't be imported now shouldn't take disk space.
  const slot = await takeSlot(services.database, 'import', ...holdersOf(sender, isDryRun, isProven));
  try {
    const body = (request.body ?? request.raw) as Readable;
    const file = await whileAllowed(services, sender, dataset, (ended) =>
      takeRowsIn(body, services.files.incoming, { headBytes: mappingBytes, signal: ended }),
    );
    await slot.become('import');
    const isAgain = input.again === 'yes';
    const asked = { dataset, mapping: input.mapping, isDryRun, fileName, isAgain, isProven };
    const { id, ended } = await startRun(services, () => allowedSender(services, request), asked, file, slot, signal);
    return { id, ended: ended.finally(() => slot.release()), isWaitedFor };
  } catch (error) {
    await slot.release();
    throw error;
  }
}

async function reportOfRun(services: Services, id: string): Promise<object> {
  const run = await importRun(services, id);
  const {
    state,
    dataset,
    source,
    mapping,
    isDryRun,
    rows,
    inserted,
    updated,
    unchanged,
    refused,
    leftOut,
    faults,
    reasons,
    reason,
  } = run!;
  return {
    run: id,
    state,
    dataset,
    source,
    mapping,
    isDryRun,
    rows,
    inserted,
    updated,
    unchanged,
    refused,
    leftOut,
    reasons: withoutMarks(reasons),
    faults,
    reason,
  };
}
