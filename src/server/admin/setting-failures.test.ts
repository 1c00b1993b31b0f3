import { expect, test } from 'vitest';
import { settingLine } from './setting-failures.ts';

test.each([
  ['57014', 'canceling statement due to statement timeout', 'the database took too long to respond'],
  ['58P01', 'could not open shared memory segment "/PostgreSQL.1"', 'the database lost a file or its shared memory'],
])('a failure %s of the database is no address where nothing answers', (code, message, says) => {
  const error = Object.assign(new Error(message), { code });
  expect(settingLine(error, { DATABASE_URL: 'postgres://staff@db.test/staff' })).toContain(says);
});
