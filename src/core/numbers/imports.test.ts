import { describe, expect, test } from 'vitest';
import type { Permission } from '../access/permissions.ts';
import { readInput } from '../base/inputs.ts';
import { isRefusal } from '../base/refusals.ts';
import { type DatasetKey, datasetKeys } from './datasets.ts';
import {
  canImport,
  importableDatasets,
  importInput,
  referenceInput,
  savedMappingInput,
  serviceTokenInput,
  undoRefusal,
} from './imports.ts';

const importers: readonly Permission[] = ['VIEW_DASHBOARD', 'VIEW_TOOLS', 'USER_MANAGEMENT'];
const sales: readonly Permission[] = [
  ...(['VIEW_SALES', 'VIEW_CONNECT_SALES', 'VIEW_GREEN_SALES', 'VIEW_CODEX_SALES', 'VIEW_BGP_SALES'] as const),
  ...(['READ_BGP', 'READ_GREEN', 'READ_CODEX'] as const),
];
const donations: readonly Permission[] = [
  ...(['VIEW_DONATIONS', 'VIEW_FREE_A_GIRL_DONATIONS', 'VIEW_OPERATION_UNDERGROUND_RAILROAD_DONATIONS'] as const),
  'VIEW_WHO_LIVES_DONATIONS',
];

describe('who may import', () => {
  const person = (permissions: readonly Permission[], role = 'Staff') => ({
    id: '1',
    role,
    permissions,
    approverIds: [],
  });
  test.each<[boolean, readonly Permission[]]>([
    [false, []],
    [false, ['VIEW_DASHBOARD', 'VIEW_TOOLS']],
    [false, ['VIEW_DASHBOARD', 'USER_MANAGEMENT']],
    [false, ['VIEW_TOOLS', 'USER_MANAGEMENT', 'VIEW_PRODUCT_PAYMENTS']],
    [false, ['VIEW_DASHBOARD', 'VIEW_TOOLS', 'VIEW_PRODUCT_PAYMENTS']],
    [false, ['VIEW_DASHBOARD', 'USER_MANAGEMENT', 'VIEW_PRODUCT_PAYMENTS']],
    [false, importers],
    [true, [...importers, 'VIEW_PRODUCT_PAYMENTS']],
  ])('%s with %j', (may, permissions) => {
    expect(canImport(person(permissions))).toBe(may);
  });
  test.each<[readonly DatasetKey[], readonly Permission[]]>([
    [
      ['payouts', 'payments'],
      ['VIEW_DISTRIBUTIONS', 'VIEW_PRODUCT_PAYMENTS'],
    ],
    [['orders'], sales],
    ...sales.map((missing): [DatasetKey[], Permission[]] => [[], sales.filter((one) => one !== missing)]),
    [['donations'], donations],
    ...donations.map((missing): [DatasetKey[], Permission[]] => [[], donations.filter((one) => one !== missing)]),
  ])('%j with every number of %j', (datasets, permissions) => {
    expect(importableDatasets(person([...importers, ...permissions]))).toEqual(datasets);
  });
  test('an admin may import all', () => {
    expect(importableDatasets(person([], 'admin'))).toEqual(datasetKeys);
  });
});

test.each([
  [serviceTokenInput, { name: ' ', datasets: ['orders'] }, 'name'],
  [serviceTokenInput, { name: 'x', datasets: [] }, 'datasets'],
  [serviceTokenInput, { name: 'x', datasets: ['__proto__'] }, 'datasets.0'],
  [savedMappingInput, { name: '../x', mapping: '{}' }, 'name'],
  [savedMappingInput, { name: 'x', mapping: 'x'.repeat(100_001) }, 'mapping'],
  [importInput, { dataset: 'orders' }, 'mapping'],
  [importInput, { dataset: 'orders', mapping: 'x', dryRun: 'perhaps' }, 'dryRun'],
  [importInput, { dataset: 'orders', mapping: 'x', source: 'y' }, 'source'],
])('%# is refused by its field', (schema, values, field) => {
  const read = readInput(schema, values);
  expect(isRefusal(read) && read.field).toBe(field);
});

describe('undoing an import', () => {
  const run = { state: 'done', undoState: null, hasChanges: true, isDryRun: false, inserted: 1, updated: 0 };
  test.each([
    [{ state: 'running' }, 'STILL_USED'],
    [{ undoState: 'running' }, 'STILL_RUNNING'],
    [{ undoState: 'done' }, 'TRANSITION_NOT_ALLOWED'],
    [{ hasChanges: false }, 'TRANSITION_NOT_ALLOWED'],
    [{ undoReason: 'It has old rows' }, 'TRANSITION_NOT_ALLOWED'],
  ])('is refused for %o', (part, code) => {
    expect(undoRefusal({ ...run, ...part })?.code).toBe(code);
  });
  test('is possible after it ended in any way, and again after an undo that failed', () => {
    for (const part of [{}, { state: 'stopped' }, { state: 'failed' }, { undoState: 'failed', undoReason: 'x' }])
      expect(undoRefusal({ ...run, ...part })).toBeNull();
  });
});

test('a person to erase is meant by the exact reference of their rows, with what can’t be seen of it', () => {
  const reference = 'Mü\u00adller\u200b 7';
  expect(readInput(referenceInput, { dataset: 'orders', reference: ` ${reference} ` })).toMatchObject({ reference });
});
