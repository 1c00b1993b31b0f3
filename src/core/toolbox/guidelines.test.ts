import { describe, expect, it } from 'vitest';
import { samplePeople } from '../../../test/house/sample-people.ts';
import { readInput } from '../base/inputs.ts';
import {
  canEditGuidelines,
  confirmRefusal,
  guidelineLimits,
  planPublish,
  publishGuidelinesInput,
} from './guidelines.ts';

const { admin, staff, people } = samplePeople;
const second = { version: 2, text: 'Two', note: 'Five, not six', publishedBy: 'Ingrid Solheim' };

describe('publishing the guidelines', () => {
  it.each([
    ['a member of staff', staff],
    ['somebody who manages people', people],
  ])('is refused to %s', (_who, viewer) => {
    expect(canEditGuidelines(viewer)).toBe(false);
    expect(planPublish(viewer, second, { text: 'Three', note: 'New', basedOn: 2 })).toMatchObject({
      code: 'FORBIDDEN',
    });
  });
  it('of a text that was written from an older version is refused, with who published what meanwhile', () => {
    expect(planPublish(admin, second, { text: 'Mine', note: 'New', basedOn: 1 })).toMatchObject({
      code: 'CONFLICT',
      changed: ['text'],
      message: expect.stringMatching(/^Ingrid Solheim published version 2 while you were editing: “Five, not six”/),
    });
    expect(planPublish(admin, second, { text: 'Mine', note: 'New', basedOn: 0 })).toMatchObject({ code: 'CONFLICT' });
  });
  it('of a text from a version that is not there is refused', () => {
    expect(planPublish(admin, second, { text: 'Mine', note: 'New', basedOn: 3 })).toMatchObject({ field: 'basedOn' });
    expect(planPublish(admin, null, { text: 'Mine', note: 'New', basedOn: 1 })).toMatchObject({ field: 'basedOn' });
  });
  it('of the same text is refused', () => {
    expect(planPublish(admin, second, { text: 'Two', note: 'New', basedOn: 2 })).toMatchObject({ field: 'text' });
  });
  it('makes the next version', () => {
    expect(planPublish(admin, null, { text: 'One', note: 'First', basedOn: 0 })).toEqual({
      version: 1,
      text: 'One',
      note: 'First',
    });
    expect(planPublish(admin, second, { text: 'Three', note: 'New', basedOn: 2 })).toMatchObject({ version: 3 });
  });
});

describe('confirming', () => {
  it.each([
    ['nothing is published', null, 1, 'NOT_FOUND'],
    ['it is not there yet', 2, 3, 'NOT_FOUND'],
    ['a newer one holds', 2, 1, 'CONFLICT'],
    ['it holds', 2, 2, null],
  ])('of a version where %s', (_case, current, confirmed, code) => {
    expect(confirmRefusal(current, confirmed)?.code ?? null).toBe(code);
  });
});

describe('what comes in', () => {
  it.each([
    ['text', { text: '  ' }],
    ['text', { text: 'x'.repeat(guidelineLimits.text + 1) }],
    ['note', { note: '' }],
    ['note', { note: 'x'.repeat(guidelineLimits.note + 1) }],
    ['basedOn', { basedOn: -1 }],
    ['text', { text: 'a\0b' }],
  ])('is refused where %s is wrong', (field, change) => {
    expect(readInput(publishGuidelinesInput, { text: 'a', note: 'b', basedOn: 0, ...change })).toMatchObject({
      code: 'BAD_INPUT',
      field,
    });
  });
});
