import { EmptyState } from '#web/ui/empty-state.tsx';
import { Panel } from '#web/ui/panel.tsx';

export default function RolesPart() {
  return (
    <Panel flush>
      <EmptyState title="No roles are shown yet">Every role with its permissions, grouped by area.</EmptyState>
    </Panel>
  );
}
