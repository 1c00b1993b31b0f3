import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import type { Path } from '#core/access/routes.ts';
import { parseSearch, writeSearch } from '#web/shell/address.ts';
import { searchOfRoute } from './page-of-route.ts';

/** Without the fields that count as missing. */
function read(address: string): object {
  const [path, search = ''] = address.split('?') as [Path, string?];
  return JSON.parse(JSON.stringify(z.parse(searchOfRoute[path], parseSearch(search))));
}

test.each([
  ['/top-5/tasks?task=abc&sprint=soon&view=list', { view: 'list' }],
  ['/top-5/approvals?tab=toString&task=12', { task: '12' }],
  ['/top-5/approvals?tab=__proto__', {}],
  ['/usermanagement?state=nonsense&role=Lead&sort=constructor', { role: 'Lead' }],
  ['/usermanagement?desc=yes', {}],
  ['/sales?product=connect&from=2026-02-31&to=2026-03-01', { product: 'connect', to: '2026-03-01' }],
  ['/tools?tab=audit&from=yesterday&actorId=0&action=taskCreated', { tab: 'audit', action: 'taskCreated' }],
  ['/tools?tab=sprints&year=20', { tab: 'sprints' }],
  ['/top-5/tools/bonus?person=-1&sprint=7', { sprint: '7' }],
])('%s: a wrong field falls back alone', (address, expected) => {
  expect(read(address)).toEqual(expected);
});

test('brands keep their own order, and unknown ones are left out', () => {
  expect(read('/top-5/tasks?brand=Grow,Purple,Connect')).toEqual({ brand: ['Connect', 'Grow'] });
});

test.each([
  '/dashboard?dialog=notices',
  '/dashboard?close=1',
  '/top-5/tasks?task=12',
  '/top-5/tasks?person=3&sprint=next&brand=Connect%2CGrow&view=list&new=1',
  '/top-5/approvals?tab=sign-off&task=12&group=person&due=1',
  '/top-5/stats?sprint=4&scope=connect',
  '/top-5/tools/bonus?person=3&sprint=4&line=signedOff',
  '/top-5/tools/guidelines?version=2',
  '/top-5/tools/schedule?week=2026-11-23&whose=mine&meeting=3&day=2026-11-24',
  '/top-5/tools/time-tracker?person=3&week=2026-11-23',
  '/usermanagement?list=permitted&q=zoe&role=-&team=green&state=invited&approver=-&back=1&sort=team&desc=1&person=9',
  '/approvermanagement?view=approvers&show=waiting&open=4',
  '/role-qualifications?role=Lead&who=everyone&state=missing&search=zoe&person=9',
  '/role-editor?tab=doctor&role=2&person=3&page=%2Fsales%3Fproduct%3Dconnect',
  '/tools?tab=audit&actorId=2&subjectType=task&subjectId=9&from=2026-01-01&until=2026-02-01&search=x',
  '/donations?product=free-a-girl&period=7d&compare=none&by=week&currency=EUR&hours=working&behind=gifts&at=day%3A2026-01-01&where.country=NL',
])('%s is read and written back as it was', (address) => {
  expect(address.split('?')[0] + writeSearch(read(address))).toBe(address);
});
