// The pages by path, with their search schemas. Each import has its own arrow function: Vite loses the styles
// of conditional imports.
import type { FunctionComponent } from 'react';
import { roleEditorSearch } from '#core/access/role-editor-search.ts';
import type { Path } from '#core/access/routes.ts';
import { toolsSearch } from '#core/admin/tools-search.ts';
import { everyPageSearch } from '#core/base/search.ts';
import type { DatasetKey } from '#core/numbers/datasets.ts';
import { numbersSearch } from '#core/numbers/numbers-search.ts';
import { approversSearch, qualificationsSearch, usersSearch } from '#core/people/people-search.ts';
import { approvalsSearch, statsSearch, tasksSearch, weekSearch } from '#core/tasks/tasks-search.ts';
import { bonusSearch, guidelinesSearch, scheduleSearch, timeTrackerSearch } from '#core/toolbox/toolbox-search.ts';

/** `code` only fetches; loading the page starts its data requests. */
export type PageLoader = (() => Promise<{ default: FunctionComponent }>) & { readonly code?: () => Promise<unknown> };

const numbersCode = () => import('#web/numbers/numbers-page.tsx');

/** The six pages of numbers are one: their tiles are data. */
const numbers = (dataset: DatasetKey): PageLoader =>
  Object.assign(
    async () => {
      const { firstNumbers, numbersPage } = await numbersCode();
      await firstNumbers(dataset);
      return { default: numbersPage(dataset) };
    },
    { code: numbersCode },
  );

/**
 * The code of the page in the address, while it is still being asked who may see it. It fails, if at all,
 * where the page is opened.
 */
export function fetchPageAhead(path: string): void {
  const load = Object.hasOwn(pageOfRoute, path) ? pageOfRoute[path as Path] : undefined;
  if (load) (load.code ?? load)().catch(() => {});
}

export const pageOfRoute: Record<Path, PageLoader> = {
  '/': () => import('#web/access/login/login-page.tsx'),
  '/dashboard': () => import('#web/tasks/my-week/my-week-page.tsx'),
  '/sales': numbers('orders'),
  '/donations': numbers('donations'),
  '/affiliate-stats': numbers('affiliate_activity'),
  '/customer-service': numbers('conversations'),
  '/distributions': numbers('payouts'),
  '/product-payments': numbers('payments'),
  '/tools': () => import('#web/admin/tools-page.tsx'),
  '/role-editor': () => import('#web/access/role-editor/role-editor-page.tsx'),
  '/role-qualifications': () => import('#web/people/qualifications/qualifications-page.tsx'),
  '/usermanagement': () => import('#web/people/users/users-page.tsx'),
  '/approvermanagement': () => import('#web/people/approvers/approvers-page.tsx'),
  '/employee-stats': () => import('#web/tasks/stats/employee-stats-page.tsx'),
  // Leads on to the tasks before anything is drawn.
  '/top-5': () => import('#web/tasks/tasks-page.tsx'),
  '/top-5/tasks': () => import('#web/tasks/tasks-page.tsx'),
  '/top-5/approvals': () => import('#web/tasks/inbox/approvals-page.tsx'),
  '/top-5/stats': () => import('#web/tasks/stats/stats-page.tsx'),
  '/top-5/tools/guidelines': () => import('#web/toolbox/guidelines/guidelines-page.tsx'),
  '/top-5/tools/schedule': () => import('#web/toolbox/schedule/schedule-page.tsx'),
  '/top-5/tools/bonus': () => import('#web/toolbox/bonus/bonus-page.tsx'),
  '/top-5/tools/time-tracker': () => import('#web/toolbox/time-tracker/time-tracker-page.tsx'),
  '/account': () => import('#web/access/account/account-page.tsx'),
  '/logout': () => import('#web/access/logout/logout-page.tsx'),
  '/error': () => import('#web/access/error/error-page.tsx'),
};

/**
 * The router parses the search part of an address with these, and links to the page are checked against them.
 */
export const searchOfRoute = {
  '/': everyPageSearch,
  '/dashboard': weekSearch,
  '/sales': numbersSearch,
  '/donations': numbersSearch,
  '/affiliate-stats': numbersSearch,
  '/customer-service': numbersSearch,
  '/distributions': numbersSearch,
  '/product-payments': numbersSearch,
  '/tools': toolsSearch,
  '/role-editor': roleEditorSearch,
  '/role-qualifications': qualificationsSearch,
  '/usermanagement': usersSearch,
  '/approvermanagement': approversSearch,
  '/employee-stats': statsSearch,
  '/top-5': everyPageSearch,
  '/top-5/tasks': tasksSearch,
  '/top-5/approvals': approvalsSearch,
  '/top-5/stats': statsSearch,
  '/top-5/tools/guidelines': guidelinesSearch,
  '/top-5/tools/schedule': scheduleSearch,
  '/top-5/tools/bonus': bonusSearch,
  '/top-5/tools/time-tracker': timeTrackerSearch,
  '/account': everyPageSearch,
  '/logout': everyPageSearch,
  '/error': everyPageSearch,
} as const satisfies Record<Path, object>;
