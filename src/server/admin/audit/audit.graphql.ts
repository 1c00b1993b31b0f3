// The audit log in the API.
import type { AuditDifference } from '#core/admin/audit-log.ts';
import { type ChainState, chainState } from '#server/platform/audit/seal-audit.ts';
import { builder } from '#server/platform/graphql/builder.ts';
import { type AuditPage, auditPage, makeAuditTicket, type ShownAuditRow } from './audit-list.service.ts';
import { readAuditKinds } from './audit-list.store.ts';

const AuditDifferenceType = builder.objectRef<AuditDifference>('AuditDifference');
const AuditRowType = builder.objectRef<ShownAuditRow>('AuditRow');
const AuditPageType = builder.objectRef<AuditPage>('AuditPage');
const AuditKindsType = builder.objectRef<{ readonly actions: string[]; readonly subjectTypes: string[] }>('AuditKinds');
const AuditChainType = builder.objectRef<ChainState>('AuditChain');

export function defineAudit(): void {
  AuditDifferenceType.implement({
    fields: (t) => ({
      field: t.exposeString('field'),
      before: t.exposeString('before', { nullable: true }),
      after: t.exposeString('after', { nullable: true }),
    }),
  });
  AuditRowType.implement({
    fields: (t) => ({
      id: t.exposeID('id'),
      at: t.exposeString('at'),
      actorId: t.exposeID('actorId', { nullable: true }),
      actorName: t.exposeString('actorName', { nullable: true, description: 'Null for commands and unknown people.' }),
      action: t.exposeString('action'),
      subjectType: t.exposeString('subjectType'),
      subjectId: t.exposeString('subjectId'),
      subjectName: t.exposeString('subjectName', { nullable: true }),
      differences: t.field({ type: [AuditDifferenceType], resolve: ({ differences }) => [...differences] }),
      requestId: t.exposeString('requestId', { nullable: true }),
      address: t.exposeString('address', { nullable: true }),
      erased: t.exposeBoolean('erased', { description: 'Its texts were erased. The chain keeps their hashes.' }),
      position: t.exposeString('position', { nullable: true, description: 'Its place in the chain.' }),
    }),
  });
  AuditPageType.implement({
    fields: (t) => ({
      rows: t.field({ type: [AuditRowType], resolve: ({ rows }) => [...rows] }),
      next: t.exposeID('next', {
        nullable: true,
        description: 'Pass it as `after` for the next page. Null at the end.',
      }),
    }),
  });
  AuditKindsType.implement({
    fields: (t) => ({ actions: t.exposeStringList('actions'), subjectTypes: t.exposeStringList('subjectTypes') }),
  });
  AuditChainType.implement({
    description: 'Keep it elsewhere to detect changes to the log.',
    fields: (t) => ({
      position: t.string({ resolve: ({ head }) => head?.position ?? '0' }),
      hash: t.string({ nullable: true, resolve: ({ head }) => head?.hash ?? null }),
      unsealed: t.exposeInt('unsealed'),
    }),
  });
  defineAuditCalls();
}

function defineAuditCalls(): void {
  builder.queryFields((t) => ({
    auditLog: t.field({
      type: AuditPageType,
      access: 'admin',
      turn: 'heavy',
      description: 'Newest first.',
      args: {
        ...{ actorId: t.arg.id(), action: t.arg.string(), subjectType: t.arg.string(), subjectId: t.arg.string() },
        ...{ from: t.arg.string(), until: t.arg.string(), search: t.arg.string() },
        ...{ after: t.arg.id(), limit: t.arg.int() },
      },
      resolve: (_root, args, context) => auditPage(context, args),
    }),
    auditKinds: t.field({
      type: AuditKindsType,
      access: 'admin',
      resolve: (_root, _args, { database }) => readAuditKinds(database.drizzle),
    }),
    auditChain: t.field({
      type: AuditChainType,
      access: 'admin',
      turn: 'heavy',
      resolve: (_root, _args, context) => chainState(context),
    }),
  }));
  builder.mutationField('createAuditTicket', (t) =>
    t.string({
      description: 'Address of the file with the results. Works once, for a minute.',
      access: 'admin',
      args: {
        ...{ actorId: t.arg.id(), action: t.arg.string(), subjectType: t.arg.string(), subjectId: t.arg.string() },
        ...{ from: t.arg.string(), until: t.arg.string(), search: t.arg.string() },
      },
      resolve: (_root, args, context) => makeAuditTicket(context, args),
    }),
  );
}
