// Permanent deletion in the API: removing a source, erasing a person, deleting old rows.
import { requireRecentProof } from '#server/access/auth/recent-proof.ts';
import type { RequestContext } from '#server/platform/context.ts';
import { builder } from '#server/platform/graphql/builder.ts';
import type { RowsOfPerson, SourceRows } from '../batch.service.ts';
import { eraseReference, referenceRows } from './erasure.service.ts';
import type { ImportRun } from './import-runs.store.ts';
import {
  previewRetention,
  type Retention,
  type RetentionPreview,
  retentions,
  setRetention,
} from './retention.service.ts';
import { type ImportSource, importSources, removeImportSource, sourceRows } from './source-removal.service.ts';

const ImportSourceType = builder.objectRef<ImportSource>('ImportSource');
const SourceRowsType = builder.objectRef<SourceRows>('ImportSourceRows');
const ReferenceRowsType = builder.objectRef<RowsOfPerson>('ReferenceRows');
const RetentionType = builder.objectRef<Retention>('Retention');
const RetentionPreviewType = builder.objectRef<RetentionPreview>('RetentionPreview');

/** Nothing brings the rows back, so a stolen token alone mustn't remove them (T44). */
async function proven<Result>(context: RequestContext, change: () => Promise<Result>): Promise<Result> {
  await requireRecentProof(context);
  return change();
}

type RunType = ReturnType<typeof builder.objectRef<ImportRun>>;

/** The list of imports shows the first two. */
export function defineRemovals(ImportRunType: RunType): void {
  defineSources(ImportRunType);
  defineErasure(ImportRunType);
  defineRetention();
}

function defineSources(ImportRunType: RunType): void {
  ImportSourceType.implement({
    fields: (t) => ({ dataset: t.exposeString('dataset'), source: t.exposeString('source') }),
  });
  SourceRowsType.implement({
    fields: (t) => ({
      rows: t.exposeInt('rows'),
      hasMore: t.exposeBoolean('hasMore', { description: 'Whether there are more rows' }),
      firstDay: t.exposeString('firstDay', { nullable: true }),
      lastDay: t.exposeString('lastDay', { nullable: true }),
    }),
  });
  builder.queryFields((t) => ({
    importSources: t.field({
      type: [ImportSourceType],
      description: 'Sources that have rows',
      access: 'admin',
      resolve: (_root, _args, context) => importSources(context),
    }),
    importSourceRows: t.field({
      type: SourceRowsType,
      description: 'What removing the source would remove',
      access: 'admin',
      turn: 'heavy',
      args: { dataset: t.arg.string({ required: true }), source: t.arg.string({ required: true }) },
      resolve: (_root, args, context) => sourceRows(context, args),
    }),
  }));
  builder.mutationFields((t) => ({
    removeImportSource: t.field({
      type: ImportRunType,
      description: 'Removes all rows of the source, all or nothing. Its imports can’t be undone after that.',
      access: 'admin',
      args: { dataset: t.arg.string({ required: true }), source: t.arg.string({ required: true }) },
      resolve: (_root, args, context) => proven(context, () => removeImportSource(context, args)),
    }),
  }));
}

function defineErasure(ImportRunType: RunType): void {
  ReferenceRowsType.implement({
    fields: (t) => ({
      source: t.exposeString('source'),
      rows: t.exposeInt('rows'),
      firstDay: t.exposeString('firstDay'),
      lastDay: t.exposeString('lastDay'),
    }),
  });
  builder.queryFields((t) => ({
    referenceRows: t.field({
      type: [ReferenceRowsType],
      description: 'The rows of a customer or donor, by source',
      access: 'admin',
      turn: 'heavy',
      args: { dataset: t.arg.string({ required: true }), reference: t.arg.string({ required: true }) },
      resolve: (_root, args, context) => referenceRows(context, args),
    }),
  }));
  builder.mutationFields((t) => ({
    eraseReference: t.field({
      type: ImportRunType,
      description:
        'Erases a customer or donor permanently, all or nothing. Amounts and counts of orders and gifts stay.',
      access: 'admin',
      args: { dataset: t.arg.string({ required: true }), reference: t.arg.string({ required: true }) },
      resolve: (_root, args, context) => proven(context, () => eraseReference(context, args)),
    }),
  }));
}

function defineRetention(): void {
  RetentionType.implement({
    fields: (t) => ({
      dataset: t.exposeString('dataset'),
      months: t.exposeInt('months', { nullable: true, description: 'Null keeps all rows' }),
      ranOn: t.exposeString('ranOn', { nullable: true, description: 'The last night' }),
      deleted: t.exposeInt('deleted', { description: 'Rows that the last night deleted' }),
    }),
  });
  RetentionPreviewType.implement({
    fields: (t) => ({
      before: t.exposeString('before', { description: 'The first day that is kept' }),
      rows: t.exposeInt('rows', { description: 'Rows from before that day' }),
      all: t.exposeInt('all'),
      firstDay: t.exposeString('firstDay', { nullable: true }),
      imports: t.exposeInt('imports', { description: 'Imports that can no longer be undone then' }),
    }),
  });
  builder.queryFields((t) => ({
    retentions: t.field({
      type: [RetentionType],
      description: 'How long each dataset keeps its rows',
      access: 'admin',
      resolve: (_root, _args, context) => retentions(context),
    }),
    retentionPreview: t.field({
      type: RetentionPreviewType,
      description: 'What the first night would delete',
      access: 'admin',
      args: { dataset: t.arg.string({ required: true }), months: t.arg.int({ required: true }) },
      resolve: (_root, args, context) => previewRetention(context, context.config.companyTimeZone, args),
    }),
  }));
  builder.mutationFields((t) => ({
    setRetention: t.field({
      type: RetentionType,
      description: 'Deletes older rows every night, from the next one on. Without months, all rows are kept.',
      access: 'admin',
      args: { dataset: t.arg.string({ required: true }), months: t.arg.int() },
      resolve: (_root, args, context) =>
        proven(context, () => setRetention(context, context.config.companyTimeZone, args)),
    }),
  }));
}
