import { usePageTitle } from '#web/page-title.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { PageHead } from '#web/ui/page-head.tsx';
import { Panel } from '#web/ui/panel.tsx';

/** Keeps its "Coming Soon" until the setting `timeTracker` is turned on (D33). */
export default function TimeTrackerPage() {
  return (
    <>
      <PageHead title={usePageTitle()} sentence="Your time on each task of the week, for your own eyes." />
      <Panel flush>
        <EmptyState title="Coming Soon">
          A timer for each task, your week by task and day, and how it develops. You will see everything that is stored;
          your approver sees the sums of a week only.
        </EmptyState>
      </Panel>
    </>
  );
}
