// The numbers in the API: values of metrics, their rows, export tickets, and a donation page's balance.
import { callAccess } from '#core/access/call-access.ts';
import { builder } from '#server/platform/graphql/builder.ts';
import type { CacheRule } from '#server/platform/graphql/response-cache.ts';
import { type DonationBalance, donationBalance } from './donation-balance.service.ts';
import { type ExportTicket, makeExportTicket } from './export.service.ts';
import { defineNumberGoals } from './number-goals.graphql.ts';
import { type NumberRowsPage, numberRows, type ShownRow } from './number-rows.service.ts';
import { type Numbers, type NumbersGroup, type NumbersOthers, numbers } from './numbers.service.ts';
import { definePinnedNumbers } from './pinned-numbers.graphql.ts';

const NumbersType = builder.objectRef<Numbers>('Numbers');
const NumbersGroupType = builder.objectRef<NumbersGroup>('NumbersGroup');
const NumbersOthersType = builder.objectRef<NumbersOthers>('NumbersOthers');
const NumberRowsType = builder.objectRef<NumberRowsPage>('NumberRows');
const NumberRowType = builder.objectRef<ShownRow>('NumberRow');
const NumberLabelType = builder.objectRef<{ readonly name: string; readonly text: string }>('NumberLabel');
const ExportTicketType = builder.objectRef<ExportTicket>('ExportTicket');
const DonationBalanceType = builder.objectRef<DonationBalance>('DonationBalance');

const NumberFilterInput = builder.inputType('NumberFilter', {
  description: 'Rows whose field has one of the values. Null is a blank field. All filters must match.',
  fields: (t) => ({
    field: t.string({ required: true }),
    values: t.stringList({ required: { list: true, items: false } }),
  }),
});

/**
 * A dashboard is the same for everyone with access; the part that depends on the clock (the elapsed part of a
 * range) is accurate to the minute.
 */
const cacheRule: CacheRule = { when: () => true, sharedWith: 'permissions', clock: 'minute' };

const nullableTexts = { list: false, items: true } as const;

export function defineNumbers(): void {
  defineGroups();
  defineValues();
  defineAsking();
  defineRows();
  defineExport();
  defineBalance();
  defineNumberGoals();
  definePinnedNumbers();
}

function defineGroups(): void {
  NumbersGroupType.implement({
    description: 'Values in the order of the requested metrics: exact decimals, null without data.',
    fields: (t) => ({
      keys: t.field({ type: ['String'], nullable: nullableTexts, resolve: ({ keys }) => keys }),
      values: t.field({ type: ['String'], nullable: nullableTexts, resolve: ({ values }) => values }),
      previousValues: t.field({
        type: ['String'],
        nullable: { list: true, items: true },
        resolve: ({ previousValues }) => previousValues,
      }),
    }),
  });
  NumbersOthersType.implement({
    description: 'Total of the groups beyond the largest.',
    fields: (t) => ({
      groups: t.exposeInt('groups'),
      values: t.field({ type: ['String'], nullable: nullableTexts, resolve: ({ values }) => values }),
      previousValues: t.field({
        type: ['String'],
        nullable: { list: true, items: true },
        resolve: ({ previousValues }) => previousValues,
      }),
    }),
  });
}

function defineValues(): void {
  NumbersType.implement({
    fields: (t) => ({
      currency: t.exposeString('currency', {
        nullable: true,
        description: 'The one currency of all money in the answer',
      }),
      currencies: t.exposeStringList('currencies', {
        description: 'Currencies with rows in the range, most rows first',
      }),
      currencyRows: t.exposeIntList('currencyRows', {
        description: 'The count of rows of each currency that match the filters, at most 10000 if no roll-up has them',
      }),
      isBacklogKnown: t.exposeBoolean('isBacklogKnown', { description: 'Whether the range’s backlog is known' }),
      hasWholeOrders: t.exposeBoolean('hasWholeOrders', {
        description:
          'Whether groups by title or SKU can be wrong because amounts of whole orders count at the orders’ first lines',
      }),
      asOf: t.exposeString('asOf', { nullable: true, description: 'When rows were last imported' }),
      isImporting: t.exposeBoolean('isImporting', {
        description: 'Whether an import is running: its rows are incomplete',
      }),
      zone: t.exposeString('zone', { description: 'The time zone of the days' }),
      from: t.exposeString('from'),
      to: t.exposeString('to', { description: 'The first day after the range' }),
      previousFrom: t.exposeString('previousFrom', { nullable: true }),
      previousTo: t.exposeString('previousTo', { nullable: true }),
      previousUntil: t.exposeString('previousUntil', {
        nullable: true,
        description: 'Where the other range is cut to the same elapsed part',
      }),
      dataFrom: t.exposeString('dataFrom', { nullable: true, description: 'The first day with rows, if it’s later' }),
      rows: t.field({ type: [NumbersGroupType], resolve: ({ rows }) => rows }),
      groups: t.exposeInt('groups', { description: 'The count of groups on all pages' }),
      goneGroups: t.exposeInt('goneGroups', {
        description: 'How many of them have something in the comparison but nothing in the range',
      }),
      others: t.field({ type: NumbersOthersType, nullable: true, resolve: ({ others }) => others }),
      totals: t.field({ type: ['String'], nullable: nullableTexts, resolve: ({ totals }) => totals }),
      previousTotals: t.field({
        type: ['String'],
        nullable: { list: true, items: true },
        resolve: ({ previousTotals }) => previousTotals,
      }),
      isEmpty: t.exposeBoolean('isEmpty', { description: 'Whether no row of the range matches currency and filters' }),
      matchingRows: t.exposeInt('matchingRows', {
        description: 'The count of rows in the currency that match the filters, at most 10000 if no roll-up has them',
      }),
      newest: t.exposeString('newest', {
        nullable: true,
        description:
          'The newest day with rows, if the range has none even without filters, or if they end before the range so far',
      }),
      unfinished: t.exposeString('unfinished', {
        nullable: true,
        description: 'The day, week or month that isn’t over yet',
      }),
    }),
  });
}

function defineAsking(): void {
  builder.queryFields((t) => ({
    numbers: t.field({
      type: NumbersType,
      access: callAccess.numbers,
      turn: 'heavy',
      args: {
        dataset: t.arg.string({ required: true }),
        metrics: t.arg.stringList({ required: true }),
        scope: t.arg.string(),
        currency: t.arg.string(),
        from: t.arg.string({ required: true }),
        to: t.arg.string({ required: true }),
        by: t.arg.stringList(),
        filters: t.arg({ type: [NumberFilterInput] }),
        compare: t.arg.string(),
        granularity: t.arg.string(),
        hours: t.arg.string(),
        top: t.arg.int(),
        offset: t.arg.int({ description: 'How many groups to skip' }),
        order: t.arg.string({ description: 'A metric, a grouping, or `change`: how much the first metric changed' }),
        descending: t.arg.boolean(),
        search: t.arg.string({ description: 'Only groups whose first key contains it' }),
        onlyFilled: t.arg.boolean({
          description: 'Leaves out groups in which every metric is zero or blank, including in the comparison',
        }),
      },
      extensions: { cacheRule },
      resolve: (_root, args, context) => numbers(context, args),
    }),
  }));
}

function defineRows(): void {
  NumberLabelType.implement({ fields: (t) => ({ name: t.exposeString('name'), text: t.exposeString('text') }) });
  NumberRowType.implement({
    fields: (t) => ({
      id: t.exposeID('id'),
      values: t.field({ type: ['String'], nullable: nullableTexts, resolve: ({ values }) => values }),
      parts: t.field({ type: ['String'], nullable: nullableTexts, resolve: ({ parts }) => parts }),
      value: t.exposeString('value', {
        nullable: true,
        description: 'What the row adds to the number, where it is a sum',
      }),
      labels: t.field({
        type: [NumberLabelType],
        resolve: ({ labels }) => Object.entries(labels).map(([name, text]) => ({ name, text })),
      }),
    }),
  });
  NumberRowsType.implement({
    fields: (t) => ({
      currency: t.exposeString('currency', { nullable: true }),
      fields: t.exposeStringList('fields', { description: 'Fields of each row' }),
      parts: t.exposeStringList('parts', {
        description: 'The metrics behind the number that each row adds to',
      }),
      rows: t.field({ type: [NumberRowType], resolve: ({ rows }) => rows }),
      next: t.exposeString('next', {
        nullable: true,
        description: 'Pass it as `after` for the next page. Null at the end',
      }),
    }),
  });
  builder.queryFields((t) => ({
    numberRows: t.field({
      type: NumberRowsType,
      access: callAccess.numbers,
      turn: 'heavy',
      args: {
        dataset: t.arg.string({ required: true }),
        metric: t.arg.string({ required: true }),
        scope: t.arg.string(),
        currency: t.arg.string(),
        from: t.arg.string({ required: true }),
        to: t.arg.string({ required: true }),
        filters: t.arg({ type: [NumberFilterInput] }),
        hours: t.arg.string(),
        after: t.arg.string(),
        limit: t.arg.int(),
      },
      resolve: (_root, args, context) => numberRows(context, args),
    }),
  }));
}

function defineExport(): void {
  ExportTicketType.implement({
    fields: (t) => ({
      ticket: t.exposeString('ticket'),
      url: t.exposeString('url'),
      expiresAt: t.exposeString('expiresAt'),
    }),
  });
  builder.mutationFields((t) => ({
    exportTicket: t.field({
      type: ExportTicketType,
      access: callAccess.numbers,
      args: {
        dataset: t.arg.string({ required: true }),
        metric: t.arg.string({ required: true }),
        scope: t.arg.string(),
        currency: t.arg.string(),
        from: t.arg.string({ required: true }),
        to: t.arg.string({ required: true }),
        filters: t.arg({ type: [NumberFilterInput] }),
        hours: t.arg.string(),
      },
      resolve: (_root, args, context) => makeExportTicket(context, args),
    }),
  }));
}

function defineBalance(): void {
  DonationBalanceType.implement({
    fields: (t) => ({
      currency: t.exposeString('currency', { nullable: true }),
      collected: t.exposeString('collected'),
      remitted: t.exposeString('remitted'),
      open: t.exposeString('open'),
    }),
  });
  builder.queryFields((t) => ({
    donationBalance: t.field({
      type: DonationBalanceType,
      access: callAccess.numbers,
      turn: 'heavy',
      args: { cause: t.arg.string({ required: true }), currency: t.arg.string() },
      resolve: (_root, args, context) => donationBalance(context, args),
    }),
  }));
}
