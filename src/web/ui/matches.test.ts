import { expect, test } from 'vitest';
import { matches } from './matches.ts';

test.each([
  ['Zoë Müller connect', 'zoe', true],
  ['Zoë Müller connect', 'MULLER zoë', true],
  ['Zoë Müller connect', '', true],
  ['Zoë Müller connect', '  ', true],
  ['Zoë Müller connect', 'zoe green', false],
])('%s matches "%s": %s', (text, search, expected) => {
  expect(matches(text, search)).toBe(expected);
});
