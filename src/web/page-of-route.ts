// Which page stands at which path. Each import has an arrow function of its own: Vite loses the styles of conditional imports.
import type { FunctionComponent } from 'react';
import type { Path } from '#core/access/routes.ts';
import type { DatasetKey } from '#core/numbers/datasets.ts';

/** `code` only fetches, where the page begins to ask for its data when it is loaded. */
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

/** The code of the page in the address, while it is still being asked who may see it. It fails, if at all, where the page is opened. */
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
