// Logs one line per answered request, and adds a span when tracing is on.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { DocumentNode, OperationDefinitionNode } from 'graphql';
import type { Span } from './span.ts';
import { beginPart, continueIn, enterRequest, incomingTraceId, isTracing } from './telemetry.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The executed GraphQL operation. */
    operation: { readonly type: string; readonly name: string } | null;
    span: Span | null;
    /** Ends the operation's span. */
    endOperation: (() => void) | null;
  }
}

const longestName = 64;
const allowedName = /^[A-Za-z_]\w*$/;

/**
 * The client's name for it, or else the first field; GraphQL limits both to letters, digits and underscores.
 */
function operationName(operation: OperationDefinitionNode): string {
  const [first] = operation.selectionSet.selections;
  const name = operation.name?.value ?? (first?.kind === 'Field' ? first.name.value : 'anonymous');
  return name.slice(0, longestName);
}

/** Records which operation a request executes. */
export function noteOperation(document: DocumentNode, request: FastifyRequest | undefined): void {
  const operation = document.definitions.find((node) => node.kind === 'OperationDefinition');
  if (!request || operation?.kind !== 'OperationDefinition') return;
  const { operation: type } = operation;
  const name = operationName(operation);
  request.operation = { type, name };
  const attributes = { 'graphql.operation.type': type, 'graphql.operation.name': name };
  request.endOperation = beginPart(`${type} ${name}`, attributes) ?? null;
}

/** A cached response is sent before its document is parsed: then only the client's name is known. */
function operationOf({ operation, body, method, routeOptions }: FastifyRequest): string {
  if (operation) return `${operation.type} ${operation.name}`;
  const { operationName: given } = (body ?? {}) as { operationName?: unknown };
  const isGraphql = routeOptions.url === '/graphql';
  if (isGraphql && typeof given === 'string' && given.length <= longestName && allowedName.test(given)) return given;
  return `${routeOptions.method ?? method} ${routeOptions.url ?? 'unknown'}`;
}

const isQuiet = ({ routeOptions }: FastifyRequest): boolean => routeOptions.logLevel === 'warn';

export function observeRequests(app: FastifyInstance): void {
  for (const name of ['operation', 'span', 'endOperation']) app.decorateRequest(name, null);
  if (isTracing()) traceRequests(app);
  app.addHook('onResponse', async (request, { statusCode, elapsedTime }) => {
    if (isQuiet(request)) return;
    const person = request.viewing?.impersonator.id ?? request.viewer?.id;
    request.log.info(
      {
        req: request,
        status: statusCode,
        milliseconds: Math.round(elapsedTime),
        operation: operationOf(request),
        ...(person === undefined ? {} : { person }),
        ...(request.viewing ? { viewedAs: request.viewer?.id } : {}),
        ...traceField(request),
      },
      'answered',
    );
  });
}

function traceField({ span, headers }: FastifyRequest): { trace?: string } {
  const trace = span?.traceId ?? incomingTraceId(headers);
  return trace === undefined ? {} : { trace };
}

function traceRequests(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (isQuiet(request)) return done();
    // The route's pattern, because the path may include ids and secrets.
    const name = `${request.method} ${request.routeOptions.url ?? 'unknown'}`;
    request.span = enterRequest(name, request.headers, done) ?? null;
  });
  // The socket's body events belong to no request.
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.span) continueIn(request.span, done);
    else done();
  });
  app.addHook('onResponse', async (request, { statusCode }) => {
    const { span, method, routeOptions } = request;
    if (!span) return;
    request.endOperation?.();
    const operation = operationOf(request);
    span.describe(routeOptions.url === '/graphql' ? operation : `${method} ${routeOptions.url ?? 'unknown'}`, {
      'http.request.method': method,
      'http.route': routeOptions.url ?? 'unknown',
      'http.response.status_code': statusCode,
    });
    span.end(statusCode >= 500 ? new Error('The request failed') : undefined);
  });
}
