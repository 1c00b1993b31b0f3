// `/graphql`: queries and mutations by POST, the subscription by WebSocket. Everything that Mercurius allows by default and we
// do not is turned off here.

import { EventEmitter } from 'node:events';
import { type Duplex, Readable } from 'node:stream';
import websocket from '@fastify/websocket';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  type DocumentNode,
  type FormattedExecutionResult,
  type GraphQLSchema,
  NoSchemaIntrospectionCustomRule,
  specifiedRules,
  validate,
} from 'graphql';
import { type MercuriusOptions, mercurius } from 'mercurius';
import { refuse } from '#core/base/refusals.ts';
import type { RequestContext, Services, SignedInPerson } from '../context.ts';
import { afterReply } from '../http/after-reply.ts';
import { endSlowReader } from '../http/slow-reader.ts';
import { LiveAudiences, type SocketContext } from '../live/live-audience.ts';
import { guardSocket } from '../live/socket-guard.ts';
import { requestContext } from '../request-context.ts';
import { noteOperation } from '../telemetry/observe-requests.ts';
import { type AnswerBudget, answerLimits } from './answer-budget.ts';
import { failureOf, graphqlFailures, logFailure } from './failures.ts';
import { keepAnswers } from './kept-answers.ts';
import { limitRefusal, queryLimits } from './limits.ts';
import { RefusalError } from './refusal-error.ts';

/** How long a socket may stay without a subscription. */
const subscribeMs = 10_000;
const subscriptionPath = /^\/graphql(\?|$)/;
/** Queries that are asked for the second time are compiled. */
const compileAtCount = 1;

function assertWithinLimits(document: DocumentNode): void {
  const refusal = limitRefusal(document);
  if (refusal) throw new RefusalError(refusal);
}

function assertShort(source: string): void {
  if (source.length > queryLimits.characters) throw new RefusalError(refuse('QUERY_TOO_LARGE'));
}

/** Over HTTP a subscription would be answered with its first event, which is not there. */
function assertNoSubscription({ definitions }: DocumentNode): void {
  if (definitions.some((node) => node.kind === 'OperationDefinition' && node.operation === 'subscription'))
    throw new RefusalError(refuse('BAD_REQUEST', 'Subscriptions need a WebSocket'));
}

/** Errors before the execution: a body or a query that cannot be read, a limit, nobody signed in. */
function answerGraphqlFailure(
  error: Error & { errors?: unknown[] },
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { statusCode, retryAfter, errors } = graphqlFailures(error.errors ?? [error], request.log, false);
  if (retryAfter !== undefined) reply.header('retry-after', String(Math.ceil(retryAfter)));
  return reply.code(statusCode).send({ data: null, errors });
}

type Hearing = SocketContext & { readonly socket: { close(): void }; readonly connection: Duplex };

/**
 * Mercurius tells `context` the socket and `onConnect` the message, never both; they meet in `letHear`, which every subscription
 * passes. Documents come here as they were sent: Mercurius validates them for HTTP only.
 */
function subscriptionOptions(services: Services, audiences: LiveAudiences) {
  return {
    context: (socket: { close(): void }, request: FastifyRequest) => ({
      ...requestContext(services, request, request.viewer as never),
      socket,
      connection: request.raw.socket,
    }),
    onConnect: async ({ payload }: { payload?: { authorization?: unknown } }) => {
      const audience = await audiences.join(payload?.authorization).catch((error) => {
        logFailure(services.log, failureOf(error), error);
        return null;
      });
      return audience && { audience, viewer: audience.viewer };
    },
    onDisconnect: (context: object) => {
      const { audience } = context as Partial<SocketContext>;
      if (audience) audiences.leave(audience);
    },
  };
}

/**
 * Node's time limits end with an upgrade, so a socket that is answered as HTTP would stay forever. Only subscriptions
 * are upgraded, and each must subscribe in time, whatever happens to it before.
 */
function acceptUpgrades(app: FastifyInstance, subscribed: WeakSet<Duplex>): FastifyInstance['server'] {
  // All that the plugin wants of a server.
  const accepted = new EventEmitter() as FastifyInstance['server'];
  app.server.on('upgrade', (request, socket, head) => {
    const isSubscription = request.method === 'GET' && subscriptionPath.test(request.url ?? '');
    if (isSubscription && accepted.emit('upgrade', request, socket, head))
      setTimeout(() => subscribed.has(socket) || socket.destroy(), subscribeMs).unref();
    else {
      socket.on('error', () => {});
      socket.end('HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
      socket.destroy();
    }
  });
  return accepted;
}

function letHear(
  schemaOfApi: GraphQLSchema,
  document: DocumentNode,
  context: object,
  subscribed: WeakSet<Duplex>,
): void {
  assertWithinLimits(document);
  const [error] = validate(schemaOfApi, document, specifiedRules, { maxErrors: 1, hideSuggestions: true });
  if (error) throw new RefusalError(refuse('BAD_INPUT', error.message));
  const { audience, socket, connection } = context as Hearing;
  audience.hangsUpBy(() => socket.close());
  subscribed.add(connection);
}

const budgets = new WeakMap<FastifyRequest, AnswerBudget>();

/** A large answer is held until it has left, so whoever reads it has to keep a pace. */
async function sendAtPace(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
  budgets.get(request)?.written();
  if (typeof payload !== 'string' || payload.length <= answerLimits.small) return payload;
  return Readable.from(endSlowReader(reply.raw, [payload]));
}

function mercuriusOptions(services: Services, schema: GraphQLSchema): MercuriusOptions {
  return {
    schema,
    path: '/graphql',
    jit: compileAtCount,
    graphiql: false,
    allowBatchedQueries: false,
    errorHandler: false,
    graphql: { parseOptions: { maxTokens: queryLimits.tokens }, validateOptions: { maxErrors: 5 } },
    validationRules: services.config.appEnv === 'production' ? [NoSchemaIntrospectionCustomRule] : [],
    // The route's own check has set the viewer.
    context: (request, reply) => {
      const context = requestContext(services, request, request.viewer as SignedInPerson);
      budgets.set(request, context.budget);
      afterReply(reply, () => context.budget.end());
      return context;
    },
    errorFormatter: (execution, { reply, app }) => {
      // A compiled query finds wrong variables itself, before anything is executed.
      const executed = execution.data != null || execution.errors.some(({ path }) => path !== undefined);
      const { statusCode, retryAfter, errors } = graphqlFailures(execution.errors, (reply ?? app).log, executed);
      if (retryAfter !== undefined) reply?.header('retry-after', String(Math.ceil(retryAfter)));
      return {
        statusCode,
        response: { data: execution.data ?? null, errors: errors as FormattedExecutionResult['errors'] },
      };
    },
    additionalRouteOptions: { config: { access: 'signedIn' }, bodyLimit: queryLimits.body, preValidation: refuseGet },
  };
}

/** Queries come by POST only; a GET that is no WebSocket has nothing to say. */
async function refuseGet(request: FastifyRequest): Promise<void> {
  if (request.method === 'GET' && !request.ws) throw new RefusalError(refuse('BAD_REQUEST'));
}

export function registerGraphql(app: FastifyInstance, services: Services, schema: GraphQLSchema): void {
  const audiences = new LiveAudiences(services);
  const subscribed = new WeakSet<Duplex>();
  app.addHook('preClose', async () => audiences.close());
  app.register(async (scope) => {
    scope.setErrorHandler(answerGraphqlFailure);
    const subscription = subscriptionOptions(services, audiences);
    // Before Mercurius brings its own, whose sockets nobody could guard.
    await scope.register(websocket, {
      options: {
        maxPayload: queryLimits.body,
        // Until a message is whole each of its pieces is kept as an object, a thousand times as large as a piece of one byte.
        maxFragments: 64,
        maxBufferedChunks: 1_024,
        server: acceptUpgrades(app, subscribed),
      },
    });
    scope.websocketServer.on('connection', guardSocket);
    const learn = keepAnswers(scope, services);
    scope.addHook('onSend', sendAtPace);
    await scope.register(mercurius, { ...mercuriusOptions(services, schema), subscription });
    scope.graphql.addHook('preParsing', async (_schema, source) => assertShort(source));
    scope.graphql.addHook('preSubscriptionParsing', async (_schema, source) => assertShort(source));
    scope.graphql.addHook('preValidation', async (_schema, document) => {
      assertWithinLimits(document);
      assertNoSubscription(document);
    });
    scope.graphql.addHook('preExecution', async (schemaOfApi, document, { reply }) => {
      learn(schemaOfApi, document, reply?.request);
      noteOperation(document, reply?.request);
    });
    scope.graphql.addHook('onResolution', async ({ data }, context) => {
      context.reply?.request.endOperation?.();
      await (context as unknown as RequestContext).budget.admit(data);
    });
    scope.graphql.addHook('preSubscriptionExecution', async (schemaOfApi, document, context) =>
      letHear(schemaOfApi, document, context, subscribed),
    );
  });
}
