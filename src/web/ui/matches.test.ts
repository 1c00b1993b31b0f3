import { expect, test } from 'vitest';
import { matches } from './matches.ts';

test.each([
  ['Zoë Müller connect', 'zoe', true],
  ['Zoë Müller connect', 'MULLER zoë', true],
  ['Zoë Müller connect', '', true],
  ['Zoë Müller connect', '  ', true],
  ['Zoë Müller connect', 'zoe green', false],
  ['S.T.A.R.T VIEW_TOP_5', 'start', true],
  ['S.T.A.R.T VIEW_TOP_5', 'S.T.A.R.T', true],
  ['S.T.A.R.T VIEW_TOP_5', 's.t.a', true],
  ['j.doe@example.test', 'jdoe', false],
])('%s matches "%s": %s', (text, search, expected) => {
  expect(matches(text, search)).toBe(expected);
});
