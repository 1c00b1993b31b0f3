// Imports in the API: service tokens, saved mappings, and runs.
import { callAccess } from '#core/access/call-access.ts';
import { decimalText } from '#core/base/decimals.ts';
import { undoRefusal } from '#core/numbers/imports.ts';
import { displayName } from '#core/people/people.ts';
import { builder } from '#server/platform/graphql/builder.ts';
import { forFieldsAsked } from '#server/platform/graphql/fields-asked-for.ts';
import type { FaultOfLine, ReasonGroup } from '#server/platform/imports/fault-report.ts';
import type { FileTotal, StatusTotal } from './file-totals.ts';
import { mustImport } from './import-access.ts';
import { deleteImportMapping, saveImportMapping } from './import-mappings.service.ts';
import { type SavedMapping, savedMappings } from './import-mappings.store.ts';
import { makeReportTicket } from './import-reports.service.ts';
import type { ImportRun } from './import-runs.store.ts';
import { amountTitle, type ImportUndo, importUndo, undoImport } from './import-undo.service.ts';
import { defineRemovals } from './removals.graphql.ts';
import { createServiceToken, type NewServiceToken, revokeServiceToken } from './service-tokens.service.ts';
import { listServiceTokens, type ServiceToken } from './service-tokens.store.ts';
import { findVisibleRun, lastVisibleRuns, stopImport } from './visible-runs.service.ts';

const ServiceTokenType = builder.objectRef<ServiceToken>('ServiceToken');
const NewServiceTokenType = builder.objectRef<NewServiceToken>('NewServiceToken');
const ImportMappingType = builder.objectRef<SavedMapping>('ImportMapping');
const ImportFaultType = builder.objectRef<FaultOfLine>('ImportFault');
const ImportReasonType = builder.objectRef<ReasonGroup>('ImportReason');
const ImportRunType = builder.objectRef<ImportRun>('ImportRun');
const ImportTotalType = builder.objectRef<FileTotal>('ImportTotal');
const ImportStatusTotalType = builder.objectRef<StatusTotal>('ImportStatusTotal');
const ImportUndoType = builder.objectRef<ImportUndo>('ImportUndo');
const UndoTotalType = builder.objectRef<ImportUndo['totals'][number]>('UndoTotal');

export function defineImports(): void {
  defineServiceTokens();
  defineMappings();
  defineReasons();
  defineTotals();
  defineRun();
  defineUndoOfRun();
  defineUndoPreview();
  defineCallsOnRuns();
  defineRemovals(ImportRunType);
}

function defineServiceTokens(): void {
  ServiceTokenType.implement({
    fields: (t) => ({
      id: t.exposeID('id'),
      name: t.exposeString('name'),
      datasets: t.stringList({ resolve: ({ datasets }) => [...datasets] }),
      createdBy: t.exposeID('createdBy'),
      createdByName: t.string({ resolve: ({ creator }) => displayName(creator) }),
      createdAt: t.exposeString('createdAt'),
      lastUsedAt: t.exposeString('lastUsedAt', { nullable: true }),
      revokedAt: t.exposeString('revokedAt', { nullable: true }),
      expiresAt: t.exposeString('expiresAt'),
      ownerMay: t.exposeBoolean('ownerMay', { description: 'False if its owner is no longer an admin: it is refused' }),
    }),
  });
  NewServiceTokenType.implement({
    fields: (t) => ({
      token: t.exposeString('token', { description: 'Shown once. Only its hash is stored.' }),
      serviceToken: t.expose('serviceToken', { type: ServiceTokenType }),
    }),
  });
  builder.queryFields((t) => ({
    serviceTokens: t.field({
      type: [ServiceTokenType],
      access: 'admin',
      resolve: (_root, _args, { database }) => listServiceTokens(database.drizzle),
    }),
  }));
  builder.mutationFields((t) => ({
    createServiceToken: t.field({
      type: NewServiceTokenType,
      access: 'admin',
      args: {
        name: t.arg.string({ required: true }),
        datasets: t.arg.stringList({ required: true }),
        days: t.arg.int({ description: 'How long it works. Default: a year' }),
      },
      resolve: (_root, args, context) => createServiceToken(context, args),
    }),
    revokeServiceToken: t.field({
      type: ServiceTokenType,
      access: 'admin',
      args: { id: t.arg.id({ required: true }) },
      resolve: (_root, { id }, context) => revokeServiceToken(context, id),
    }),
  }));
}

function defineMappings(): void {
  ImportMappingType.implement({
    fields: (t) => ({
      name: t.exposeString('name'),
      dataset: t.exposeString('dataset'),
      mapping: t.string({ description: 'JSON', resolve: ({ mapping }) => JSON.stringify(mapping) }),
      savedAt: t.exposeString('savedAt'),
    }),
  });
  builder.queryFields((t) => ({
    importMappings: t.field({
      type: [ImportMappingType],
      access: callAccess.people,
      resolve: (_root, _args, { viewer, database }) => {
        return savedMappings(database.drizzle, mustImport(viewer));
      },
    }),
  }));
  builder.mutationFields((t) => ({
    saveImportMapping: t.field({
      type: ImportMappingType,
      access: callAccess.people,
      args: {
        name: t.arg.string({ required: true }),
        mapping: t.arg.string({ required: true }),
        replaces: t.arg.string({
          description: 'The mapping that this one may replace, empty for none. Another one is a CONFLICT',
        }),
      },
      resolve: (_root, args, context) => saveImportMapping(context, args),
    }),
    deleteImportMapping: t.boolean({
      access: callAccess.people,
      args: { name: t.arg.string({ required: true }) },
      resolve: (_root, args, context) => deleteImportMapping(context, args),
    }),
  }));
}

/** Why rows were refused, left out or look wrong. */
function defineReasons(): void {
  ImportFaultType.implement({
    fields: (t) => ({
      line: t.exposeInt('line'),
      column: t.exposeString('column'),
      reason: t.exposeString('reason'),
    }),
  });
  ImportReasonType.implement({
    description: 'Rows that were refused, left out or look wrong for the same reason',
    fields: (t) => ({
      kind: t.exposeString('kind', { description: 'refused, leftOut (on purpose), or warning (imported)' }),
      column: t.exposeString('column'),
      reason: t.exposeString('reason'),
      count: t.exposeInt('count'),
      line: t.exposeInt('line', { description: 'The line of the first such row; 0 if none is named' }),
      value: t.exposeString('value', { nullable: true, description: 'What that row has in the column' }),
      values: t.stringList({
        description: 'Different wrong values of the column, the first 20',
        // Older runs have none.
        resolve: ({ values }) => [...(values ?? [])],
      }),
    }),
  });
  builder.objectFields(ImportRunType, (t) => ({
    warnings: t.exposeInt('warnings', { description: 'How many of the reasons are warnings' }),
  }));
}

function defineTotals(): void {
  ImportTotalType.implement({
    description: 'Rows of one product or cause in one currency',
    fields: (t) => ({
      scope: t.exposeString('scope', { nullable: true, description: 'The product or cause' }),
      currency: t.exposeString('currency', { nullable: true }),
      rows: t.exposeInt('rows'),
      amount: t.string({ nullable: true, resolve: ({ amount }) => decimalOf(amount) }),
      refunded: t.string({ nullable: true, resolve: ({ refunded = null }) => decimalOf(refunded) }),
      firstDay: t.exposeString('firstDay'),
      lastDay: t.exposeString('lastDay'),
      statuses: t.field({
        type: [ImportStatusTotalType],
        description: 'Most rows first. Empty if statuses are the source’s own texts',
        resolve: ({ statuses = [] }) => [...statuses],
      }),
    }),
  });
  ImportStatusTotalType.implement({
    fields: (t) => ({
      status: t.exposeString('status'),
      rows: t.exposeInt('rows'),
      amount: t.string({ nullable: true, resolve: ({ amount }) => decimalOf(amount) }),
      refunded: t.string({ nullable: true, resolve: ({ refunded = null }) => decimalOf(refunded) }),
    }),
  });
}

function defineRun(): void {
  ImportRunType.implement({
    fields: (t) => ({
      id: t.exposeID('id'),
      dataset: t.exposeString('dataset'),
      source: t.exposeString('source'),
      mapping: t.exposeString('mapping'),
      fileName: t.exposeString('fileName'),
      isDryRun: t.exposeBoolean('isDryRun'),
      state: t.exposeString('state', { description: 'running, done, stopped or failed' }),
      isStopping: t.exposeBoolean('isStopping', { description: 'Asked to stop. Ends at its next batch' }),
      startedAt: t.exposeString('startedAt'),
      startedBy: t.string({
        description: 'The name of the person, or of the service token',
        nullable: true,
        resolve: ({ person, serviceToken }) => (person ? displayName(person) : serviceToken),
      }),
      seenAt: t.exposeString('seenAt'),
      share: t.float({
        description: 'How much of the file has been read, 0 to 1',
        resolve: ({ bytesRead, size }) => (size === 0 ? 1 : Math.min(1, bytesRead / size)),
      }),
      rows: t.exposeInt('rows'),
      inserted: t.exposeInt('inserted'),
      updated: t.exposeInt('updated'),
      unchanged: t.exposeInt('unchanged'),
      refused: t.exposeInt('refused'),
      leftOut: t.exposeInt('leftOut', {
        description: 'Rows left out on purpose, by a rule of the mapping or as a total at the end',
      }),
      reason: t.exposeString('reason', { nullable: true }),
      faults: t.field({ type: [ImportFaultType], resolve: ({ faults }) => [...faults] }),
      reasons: t.field({
        type: [ImportReasonType],
        description: 'Why rows were refused, left out or look wrong, most frequent first',
        resolve: ({ reasons }) => [...reasons],
      }),
      totals: t.field({
        type: [ImportTotalType],
        description: 'What its rows add up to at the end; lists have the most only. Empty if it ended early',
        resolve: ({ totals }) => [...totals],
      }),
      amountTitle: t.string({
        description: 'What the amounts in `totals` measure',
        nullable: true,
        resolve: ({ dataset }) => amountTitle(dataset),
      }),
      hasReport: t.exposeBoolean('hasReport', { description: 'Its refused rows can be downloaded' }),
      way: t.exposeString('way', {
        description:
          'wizard, http or command. A removal removed the rows of its source and an erasure erased a person: `rows` counts them',
      }),
      waitsFor: t.string({
        nullable: true,
        description: 'What has to end before it continues',
        resolve: ({ waitsFor }) => waitsFor && waitWords(waitsFor),
      }),
    }),
  });
}

const waitWords = ({ kind, fileName }: NonNullable<ImportRun['waitsFor']>): string =>
  kind === 'removal' ? 'the removal of a source' : kind === 'erasure' ? 'an erasure' : `the ${kind} of ${fileName}`;

/** Whether a run can be undone, and how its undo goes. */
function defineUndoOfRun(): void {
  builder.objectFields(ImportRunType, (t) => ({
    canUndo: t.boolean({
      description: 'It changed rows or repeated earlier ones, and hasn’t been undone',
      resolve: (run) => undoRefusal(run) === null,
    }),
    undoState: t.exposeString('undoState', { nullable: true, description: 'running, done or failed' }),
    undoneRows: t.exposeInt('undoRows', { description: 'Rows removed or restored so far' }),
    undoReason: t.exposeString('undoReason', { nullable: true }),
    undoneAt: t.string({
      nullable: true,
      resolve: ({ undoState, undoSeenAt }) => (undoState === 'done' ? undoSeenAt : null),
    }),
    undoneBy: t.string({ nullable: true, resolve: ({ undoneBy }) => undoneBy && displayName(undoneBy) }),
  }));
}

function defineUndoPreview(): void {
  UndoTotalType.implement({
    fields: (t) => ({
      currency: t.exposeString('currency', { nullable: true }),
      rowsNow: t.exposeInt('rowsNow'),
      rowsAfter: t.exposeInt('rowsAfter'),
      amountNow: t.string({ nullable: true, resolve: ({ amountNow }) => decimalOf(amountNow) }),
      amountAfter: t.string({ nullable: true, resolve: ({ amountAfter }) => decimalOf(amountAfter) }),
    }),
  });
  ImportUndoType.implement({
    fields: (t) => ({
      run: t.expose('run', { type: ImportRunType }),
      removed: t.exposeInt('removed', { description: 'Rows that it added' }),
      restored: t.exposeInt('restored', { description: 'Rows that go back to what they were' }),
      blockedBy: t.expose('blockedBy', {
        type: ImportRunType,
        nullable: true,
        description: 'The later import to undo first',
      }),
      firstDay: t.exposeString('firstDay', { nullable: true }),
      lastDay: t.exposeString('lastDay', { nullable: true, description: 'Days of its rows; the totals are of these' }),
      amountTitle: t.exposeString('amountTitle', { nullable: true }),
      totals: t.field({ type: [UndoTotalType], resolve: ({ totals }) => [...totals] }),
    }),
  });
  builder.queryFields((t) => ({
    importUndo: t.field({
      type: ImportUndoType,
      description: 'What undoing the import would change',
      access: callAccess.people,
      turn: 'heavy',
      args: { run: t.arg.id({ required: true }) },
      resolve: (_root, { run }, context) => importUndo(context, run),
    }),
  }));
  builder.mutationFields((t) => ({
    undoImport: t.field({
      type: ImportRunType,
      description: 'Removes the rows that it added and restores those that it changed, all or nothing.',
      access: callAccess.people,
      args: { run: t.arg.id({ required: true }) },
      resolve: (_root, { run }, context) => undoImport(context, run),
    }),
  }));
}

const decimalOf = (amount: string | null) => amount && decimalText(BigInt(amount));

/** A list is polled every second during an import, and up to 100 bad rows each are expensive. */
const asksForFaults = forFieldsAsked((fields) => fields.has('faults') || fields.has('reasons'));

function defineCallsOnRuns(): void {
  builder.queryFields((t) => ({
    importRun: t.field({
      type: ImportRunType,
      nullable: true,
      access: callAccess.people,
      args: { id: t.arg.id({ required: true }) },
      resolve: (_root, { id }, context) => findVisibleRun(context, id),
    }),
    importRuns: t.field({
      type: [ImportRunType],
      description: 'Imports, newest first, 20 at a time',
      access: callAccess.people,
      args: {
        after: t.arg.id({ description: 'The ID of the last run of the previous page' }),
        search: t.arg.string({ description: 'In names of files and sources' }),
      },
      resolve: (_root, args, context, info) => lastVisibleRuns(context, args, asksForFaults(info)),
    }),
  }));
  builder.mutationFields((t) => ({
    stopImport: t.field({
      type: ImportRunType,
      description: 'Imported rows stay. An import that has ended doesn’t change.',
      access: callAccess.people,
      args: { run: t.arg.id({ required: true }) },
      resolve: (_root, { run }, context) => stopImport(context, run),
    }),
    createImportReportTicket: t.string({
      description: 'Address of a run’s report. Works once, for a minute.',
      access: callAccess.people,
      args: { run: t.arg.id({ required: true }) },
      resolve: (_root, { run }, context) => makeReportTicket(context, run),
    }),
  }));
}
