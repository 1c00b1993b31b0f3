// Which page stands at which path. Each import has an arrow function of its own: Vite loses the styles of conditional imports.
import type { FunctionComponent } from 'react';
import type { Path } from '#core/access/routes.ts';
import type { DatasetKey } from '#core/numbers/datasets.ts';

/** `code` only fetches, where the page begins to ask for its data when it is loaded. */
export type PageLoader = (() => Promise<{ default: FunctionComponent }>) & { readonly code?: () => Promise<unknown> };

const numbersCode = () => import('#web/pages/numbers/numbers-page.tsx');

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
  '/': () => import('#web/pages/login/login-page.tsx'),
  '/dashboard': () => import('#web/pages/dashboard/dashboard-page.tsx'),
  '/sales': numbers('orders'),
  '/donations': numbers('donations'),
  '/affiliate-stats': numbers('affiliate_activity'),
  '/customer-service': numbers('conversations'),
  '/distributions': numbers('payouts'),
  '/product-payments': numbers('payments'),
  '/tools': () => import('#web/pages/tools/tools-page.tsx'),
  '/role-editor': () => import('#web/pages/role-editor/role-editor-page.tsx'),
  '/role-qualifications': () => import('#web/pages/qualifications/qualifications-page.tsx'),
  '/usermanagement': () => import('#web/pages/users/users-page.tsx'),
  '/approvermanagement': () => import('#web/pages/approvers/approvers-page.tsx'),
  '/employee-stats': () => import('#web/pages/stats/employee-stats-page.tsx'),
  // Leads on to the tasks before anything is drawn.
  '/top-5': () => import('#web/pages/top5/tasks-page.tsx'),
  '/top-5/tasks': () => import('#web/pages/top5/tasks-page.tsx'),
  '/top-5/approvals': () => import('#web/pages/top5/approvals-page.tsx'),
  '/top-5/stats': () => import('#web/pages/stats/stats-page.tsx'),
  '/top-5/tools/guidelines': () => import('#web/pages/guidelines/guidelines-page.tsx'),
  '/top-5/tools/schedule': () => import('#web/pages/schedule/schedule-page.tsx'),
  '/top-5/tools/bonus': () => import('#web/pages/bonus/bonus-page.tsx'),
  '/top-5/tools/time-tracker': () => import('#web/pages/time-tracker/time-tracker-page.tsx'),
  '/account': () => import('#web/pages/account/account-page.tsx'),
  '/logout': () => import('#web/pages/logout/logout-page.tsx'),
  '/error': () => import('#web/pages/error/error-page.tsx'),
};
