import { usePageTitle } from '#web/page-title.ts';
import { PageHead } from '#web/ui/page-head.tsx';

export default function ApprovalsPage() {
  return <PageHead title={usePageTitle()} />;
}
