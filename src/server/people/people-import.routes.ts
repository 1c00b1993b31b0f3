// `POST /api/people/import` takes a file of people, first for a preview, then to import it.
import type { FastifyInstance } from 'fastify';
import { callAccess } from '#core/access/call-access.ts';
import { readInput } from '#core/base/inputs.ts';
import { importPeopleInput, userLimits } from '#core/people/accounts.ts';
import type { Services } from '#server/platform/context.ts';
import { inSlot } from '#server/platform/db/work-slots.ts';
import { orThrow } from '#server/platform/graphql/refusal-error.ts';
import { signalOfCaller } from '#server/platform/http/signal-of-caller.ts';
import { requestContext } from '#server/platform/request-context.ts';
import { importPeople } from './people-import.service.ts';

export function registerPeopleImport(app: FastifyInstance, services: Services): void {
  app.post<{ Body: object | null }>(
    '/api/people/import',
    { config: { access: callAccess.people, turn: 'own' }, bodyLimit: 2 * userLimits.file },
    async (request, reply) => {
      const { file, dryRun } = orThrow(readInput(importPeopleInput, request.body ?? {}));
      const context = requestContext(services, request, request.viewer!);
      const options = { isDryRun: dryRun, signal: signalOfCaller(reply) };
      const work = () => importPeople(context, Buffer.from(file, 'base64'), options);
      return inSlot(services.database, 'peopleImport', work, { holder: context.viewer.id });
    },
  );
}
