import { expect, test } from 'vitest';
import { settingLine } from './setting-failures.ts';

test('a statement that took too long is no address where nothing answers', () => {
  const error = Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' });
  const line = settingLine(error, { DATABASE_URL: 'postgres://staff@db.test/staff' });
  expect(line).toContain('the database took too long to respond');
});
