// `/graphql`: queries and mutations by POST, the subscription by WebSocket. Turns off the Mercurius defaults
// we don't need.

import { EventEmitter } from 'node:events';
import { type Duplex, Readable } from 'node:stream';
import { setImmediate as afterOthers } from 'node:timers/promises';
import websocket from '@fastify/websocket';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  type DocumentNode,
  type FormattedExecutionResult,
  type GraphQLSchema,
  getVariableValues,
  NoSchemaIntrospectionCustomRule,
  specifiedRules,
  validate,
} from 'graphql';
import { type MercuriusOptions, mercurius } from 'mercurius';
import { refuse } from '#core/base/refusals.ts';
import type { RequestContext, Services, SignedInPerson } from '../context.ts';
import { afterReply } from '../http/after-reply.ts';
import { quietFlood } from '../http/quiet-refusals.ts';
import { endSlowReader } from '../http/slow-reader.ts';
import { LiveAudiences, type SocketContext } from '../live/live-audience.ts';
import { guardSocket, messageLimits } from '../live/socket-guard.ts';
import { requestContext } from '../request-context.ts';
import { noteOperation } from '../telemetry/observe-requests.ts';
import { type AnswerBudget, answerLimits } from './answer-budget.ts';
import { failureOf, graphqlFailures, logFailure } from './failures.ts';
import { limitRefusal, queryLimits } from './limits.ts';
import { inPersonTurn, ParseTurns } from './person-turns.ts';
import { RefusalError } from './refusal-error.ts';
import { cacheResponses } from './response-cache.ts';

/** How long a socket can stay open without a subscription. */
const subscribeMs = 10_000;
const subscriptionPath = /^\/graphql(\?|$)/;
/** Compile queries on their second use. */
const compileAtCount = 1;

function assertWithinLimits(document: DocumentNode): void {
  const refusal = limitRefusal(document);
  if (refusal) throw new RefusalError(refusal);
}

function assertShort(source: string): void {
  if (source.length > queryLimits.characters) throw new RefusalError(refuse('QUERY_TOO_LARGE'));
}

/** Over HTTP, a subscription would be answered with its first event, which doesn't exist yet. */
function assertNoSubscription({ definitions }: DocumentNode): void {
  if (definitions.some((node) => node.kind === 'OperationDefinition' && node.operation === 'subscription'))
    throw new RefusalError(refuse('BAD_REQUEST', 'Subscriptions need a WebSocket'));
}

/**
 * A compiled query checks its variables too, but without a limit: each wrong item of a list makes an error
 * that quotes the list.
 */
function assertVariables(schema: GraphQLSchema, { definitions }: DocumentNode, variables: object): void {
  const operation = definitions.find((node) => node.kind === 'OperationDefinition');
  const read = getVariableValues(schema, operation?.variableDefinitions ?? [], { ...variables }, { maxErrors: 1 });
  const [error] = read.errors ?? [];
  if (error) throw error;
}

/** Errors before the execution: an unreadable body or query, a limit, or no session. */
function answerGraphqlFailure(
  error: Error & { errors?: unknown[] },
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  quietFlood(request);
  const { statusCode, retryAfter, errors } = graphqlFailures(error.errors ?? [error], request.log, false);
  if (retryAfter !== undefined) reply.header('retry-after', String(Math.ceil(retryAfter)));
  return reply.code(statusCode).send({ data: null, errors });
}

type Hearing = SocketContext & { readonly socket: { close(): void }; readonly connection: Duplex };

/**
 * Mercurius passes `context` the socket and `onConnect` the message, never both. They meet in
 * `authorizeSubscription`, which every subscription passes. Documents arrive here unvalidated: Mercurius
 * validates them for HTTP only.
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
 * Node's timeouts end with an upgrade, so a socket answered as HTTP would stay open forever. We upgrade
 * subscriptions only, and each must subscribe in time.
 */
function acceptUpgrades(app: FastifyInstance, subscribed: WeakSet<Duplex>): FastifyInstance['server'] {
  // All the plugin needs of a server.
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

async function authorizeSubscription(
  schemaOfApi: GraphQLSchema,
  document: DocumentNode,
  context: object,
  subscribed: WeakSet<Duplex>,
): Promise<void> {
  assertWithinLimits(document);
  const { audience, socket, connection, ...asking } = context as Hearing;
  const [error] = await inPersonTurn({ ...asking, session: audience.hash }, 'parse', async () => {
    await afterOthers();
    return validate(schemaOfApi, document, specifiedRules, { maxErrors: 1, hideSuggestions: true });
  });
  if (error) throw new RefusalError(refuse('BAD_INPUT', error.message));
  audience.hangsUpBy(() => socket.close());
  subscribed.add(connection);
}

const budgets = new WeakMap<FastifyRequest, AnswerBudget>();

/** A large answer stays in memory until it is sent, so its reader has to keep up. */
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
    // More than the web's queries. A cache keeps up to twice as many, and invalid ones have their own.
    cache: 256,
    graphql: {
      // Locations keep every token and comment of a cached query.
      parseOptions: { maxTokens: queryLimits.tokens, maxComments: queryLimits.comments, noLocation: true },
      validateOptions: { maxErrors: 5 },
    },
    validationRules: services.config.appEnv === 'production' ? [NoSchemaIntrospectionCustomRule] : [],
    // The route's own check has set the viewer.
    context: (request, reply) => {
      const context = requestContext(services, request, request.viewer as SignedInPerson);
      budgets.set(request, context.budget);
      afterReply(reply, () => context.budget.end());
      return context;
    },
    errorFormatter: (execution, { reply, app }) => {
      // A compiled query rejects wrong variables itself, before execution.
      if (reply) quietFlood(reply.request);
      const executed = execution.data != null || execution.errors.some(({ path }) => path !== undefined);
      const { statusCode, retryAfter, errors } = graphqlFailures(execution.errors, (reply ?? app).log, executed);
      if (retryAfter !== undefined) reply?.header('retry-after', String(Math.ceil(retryAfter)));
      return {
        statusCode,
        response: { data: execution.data ?? null, errors: errors as FormattedExecutionResult['errors'] },
      };
    },
    additionalRouteOptions: {
      config: { access: 'signedIn', turn: 'own' },
      bodyLimit: queryLimits.body,
      preValidation: refuseGet,
    },
  };
}

/** Queries come by POST only; a GET that isn't a WebSocket is refused. */
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
    // Registered before Mercurius adds its own, whose sockets we couldn't guard.
    await scope.register(websocket, {
      options: {
        maxPayload: messageLimits.bytes,
        // Each fragment is kept as an object until the message is complete, a thousand times the size of a
        // one-byte fragment.
        maxFragments: 64,
        maxBufferedChunks: 1_024,
        server: acceptUpgrades(app, subscribed),
      },
    });
    scope.websocketServer.on('connection', guardSocket);
    const learn = cacheResponses(scope, services);
    scope.addHook('onSend', sendAtPace);
    await scope.register(mercurius, { ...mercuriusOptions(services, schema), subscription });
    const turns = new ParseTurns(compileAtCount + 1);
    scope.graphql.addHook('preParsing', async (_schema, source, context) => {
      assertShort(source);
      await turns.begin(context as unknown as RequestContext & { reply: FastifyReply });
    });
    scope.graphql.addHook('preValidation', async (_schema, document) => {
      assertWithinLimits(document);
      assertNoSubscription(document);
    });
    scope.graphql.addHook('preExecution', async (schemaOfApi, document, { reply }, variables) => {
      assertVariables(schemaOfApi, document, variables);
      turns.end(document, reply);
      learn(schemaOfApi, document, reply?.request);
      noteOperation(document, reply?.request);
    });
    scope.graphql.addHook('onResolution', async ({ data }, context) => {
      context.reply?.request.endOperation?.();
      await (context as unknown as RequestContext).budget.admit(data);
    });
    scope.graphql.addHook('preSubscriptionExecution', async (schemaOfApi, document, context) =>
      authorizeSubscription(schemaOfApi, document, context, subscribed),
    );
  });
}
