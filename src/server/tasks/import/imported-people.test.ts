import { expect, test } from 'vitest';
import { personName } from './imported-people.ts';

test.each([
  ['a login', 'jane.doe', { firstName: 'Jane', lastName: 'Doe' }],
  ['a name', 'jane  doe', { firstName: 'Jane', lastName: 'Doe' }],
  ['what isn’t words', 'QA #2', { firstName: 'QA #2', lastName: '' }],
  ['what can’t be seen', '\u200bjane\u2060 \u202edoe', { firstName: 'Jane', lastName: 'Doe' }],
  ['nothing that can be seen', '\u200b', { firstName: '', lastName: '' }],
])('an imported person’s name is made of %s', (_, given, name) => {
  expect(personName(given)).toEqual(name);
});
