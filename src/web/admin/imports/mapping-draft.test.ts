import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { datasetKeys, isDataset } from '#core/numbers/datasets.ts';
import { draftOf, mappingOf, newDraft, previewOf, sampleFile, sourceOf } from './mapping-draft.ts';
import { changeKind, formOf, type RuleKind, ruleKinds, ruleOf } from './rule-form.ts';

const folder = join(import.meta.dirname, '../../../../examples/import');
const examples = readdirSync(folder).map((file): [string, { dataset: string; fields: object }] => [
  file,
  JSON.parse(readFileSync(join(folder, file), 'utf8')),
]);

describe('a rule that cannot be said', () => {
  it('is told, and never sent', () => {
    expect(ruleOf({ kind: 'json', text: '{"first": [' })).toEqual({ fault: expect.stringContaining('is not JSON') });
    expect(ruleOf({ kind: 'multiply', columns: ['a'] })).toEqual({ fault: 'needs at least two columns' });
    const draft = newDraft('orders', 'shop', []);
    const fields = { ...draft.fields, gross: { kind: 'json', text: '{' } as const };
    expect(mappingOf({ ...draft, fields })).toEqual({ faults: [expect.stringContaining('Gross is not JSON')] });
  });
});

describe('every example in the repository', () => {
  const ofNumbers = examples.filter(([, { dataset }]) => isDataset(dataset));
  it('is there', () => expect(ofNumbers.length).toBeGreaterThan(5));
  it.each(ofNumbers)('%s comes out of the form as it went in', (_file, mapping) => {
    if (!isDataset(mapping.dataset)) throw new Error('not a dataset');
    const { currency, ...rest } = mapping as typeof mapping & { currency?: string };
    const fields = { ...(currency ? { currency: { constant: currency } } : {}), ...mapping.fields };
    expect(mappingOf(draftOf(mapping.dataset, JSON.stringify(mapping)))).toEqual({ mapping: { ...rest, fields } });
  });
});

describe('a rule', () => {
  it.each([
    'a',
    { constant: '' },
    { negate: 'a' },
    { absolute: 'a' },
    { number: 'a', decimal: ',' },
    { first: ['a', 'b'] },
    { join: ['a', 'b'], with: ' / ' },
    { join: ['a', 'b', { occurrence: ['a', 'b'] }], with: '#' },
    { multiply: ['a', 'b'] },
    { date: 'a', format: 'D/M/YYYY' },
    { date: 'a', format: 'D/M/YYYY', zone: 'Europe/London' },
    { value: 'a', map: { x: 'y', __proto__x: 'z' }, default: 'd' },
  ])('has a form of its own and comes back: %j', (rule) => {
    const form = formOf(rule);
    expect(form.kind).not.toBe('json');
    expect(ruleOf(form)).toEqual({ rule });
  });
  it.each([
    { column: 'a', optional: true },
    { negate: { constant: '1' } },
    { value: 'a', map: {}, default: '' },
    { date: 'a', format: 'YYYY', language: 'de' },
    { when: [], give: 'a' },
    { first: ['a', { constant: 'b' }] },
    { join: ['a', { occurrence: ['b'] }], with: '#' },
    { join: [{ constant: 'a' }, 'b'], with: '#' },
  ])('that no form can say stays JSON: %j', (rule) => {
    expect(formOf(rule).kind).toBe('json');
    expect(ruleOf(formOf(rule))).toEqual({ rule });
  });
  it('keeps its column when its form is changed', () => {
    for (const kind of Object.keys(ruleKinds) as RuleKind[]) {
      const changed = changeKind({ kind: 'column', column: 'Price' }, kind);
      expect(changed.kind).toBe(kind);
      if (kind !== 'none' && kind !== 'constant') expect(JSON.stringify(changed)).toContain('Price');
    }
  });
});

it('columns that are called like a field are given to it, each once', () => {
  const { fields } = newDraft('orders', 'shop', ['ID', 'Order Ref', 'country', 'Ship country', 'Gross amount', 'x']);
  expect(fields).toMatchObject({
    external_id: { kind: 'column', column: 'ID' },
    country: { kind: 'column', column: 'country' },
    gross: { kind: 'column', column: 'Gross amount' },
    order_ref: { kind: 'column', column: 'Order Ref' },
    channel: { kind: 'none' },
  });
});

it('a file gives its source a name that the import takes', () => {
  expect(sourceOf('Orders March.csv.gz')).toBe('orders-march');
  expect(sourceOf('.csv')).toBe('file');
  expect(sourceOf(`${'ä'.repeat(80)}x.ndjson`)).toBe('x');
  expect(sourceOf(`${'a-'.repeat(40)}.csv`)).toMatch(/^[a-z0-9][a-z0-9-]{0,39}$/);
});

it('rows to leave out and refunds in full come back from a saved mapping, and half a rule is named', () => {
  const leaveOut = [
    { column: 'kind', has: ['test', ''], reason: 'Test orders' },
    { column: 'shop', lacks: ['main'], reason: 'Other shops' },
  ];
  const mapping = { dataset: 'orders', source: 'shop', refunds: 'full', leaveOut, fields: { external_id: 'id' } };
  const draft = draftOf('orders', JSON.stringify(mapping));
  expect(mappingOf(draft)).toEqual({ mapping });
  const half = {
    ...draft,
    leaveOut: [...draft.leaveOut, { column: 'x', which: 'has', values: [], reason: '' } as const],
  };
  expect(mappingOf(half)).toEqual({ faults: ['Rows to leave out need a column, values and a reason'] });
  // The preview goes on with the rest.
  expect(previewOf(half)).toEqual(mapping);
});

it.each(datasetKeys)('the sample file of %s has a column for every field, which the wizard finds', (dataset) => {
  const { head, rows } = sampleFile(dataset);
  const { fields } = newDraft(dataset, 'sample', head);
  expect(Object.values(fields).filter(({ kind }) => kind !== 'column')).toEqual([]);
  expect(rows.map((row) => row.length)).toEqual([head.length, head.length]);
});
