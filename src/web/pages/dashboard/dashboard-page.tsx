import { usePageTitle } from '#web/page-title.ts';
import { PageHead } from '#web/ui/page-head.tsx';

export default function DashboardPage() {
  return <PageHead title={usePageTitle()} />;
}
