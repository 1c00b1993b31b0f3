import type { FastifyRequest } from 'fastify';
import type { RequestContext, Services, SignedInPerson } from './context.ts';
import { AnswerBudget, LargeAnswers } from './graphql/answer-budget.ts';
import { sessionOf } from './viewer.ts';

/** One per process, because large answers share its memory. */
const largeAnswers = new LargeAnswers();

/** What services need for one request of a person. */
export function requestContext(services: Services, request: FastifyRequest, viewer: SignedInPerson): RequestContext {
  return {
    ...services,
    log: request.log,
    viewer,
    // A subscription has no viewer yet, and no budget.
    budget: new AnswerBudget(largeAnswers, (request.viewing?.impersonator ?? viewer)?.id ?? ''),
    impersonator: request.viewing?.impersonator,
    requestId: request.id,
    address: request.ip,
    agent: request.headers['user-agent'],
    session: sessionOf(request),
    idempotencyKey: request.headers['idempotency-key'],
  };
}
