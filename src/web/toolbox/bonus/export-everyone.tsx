// A sprint's statements of everyone in one file, for payroll.
import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useMutation } from '#web/api/mutation.ts';
import { useDecidedPeople } from '#web/tasks/shared/decided-person-select.tsx';
import { sprintsQuery } from '#web/tasks/shared/queries.ts';
import { Dialog, DialogActions } from '#web/ui/dialog.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import { SearchSelect } from '#web/ui/search-select.tsx';
import { Loading, SkeletonRows } from '#web/ui/skeleton.tsx';
import { Writes } from '#web/ui/writes.tsx';
import { type BonusOverview, downloadStatements } from './bonus-queries.ts';
import { noStatements } from './bonus-words.ts';

type Props = {
  readonly plans: BonusOverview['bonusPlans'];
  /** The sprint on the page. Null: the current one. */
  readonly sprintId: string | null;
};

/** Nothing for people who decide for nobody: the page has their own statements. */
export function ExportEveryone(props: Props) {
  const { forOthers } = useDecidedPeople();
  const [opened, setOpened] = useState(false);
  const close = () => setOpened(false);
  if (!forOthers || props.plans.length === 0) return null;
  return (
    <>
      <Writes>
        <Button variant="default" leftSection={<IconDownload size={15} stroke={1.7} />} onClick={() => setOpened(true)}>
          Export everyone’s statements
        </Button>
      </Writes>
      <Dialog opened={opened} title="Export everyone’s statements" onClose={close}>
        {opened && <Content {...props} onDone={close} />}
      </Dialog>
    </>
  );
}

function Content({ plans, sprintId, onDone }: Props & { readonly onDone: () => void }) {
  const { data, error, refetch } = useQuery(sprintsQuery);
  const [chosen, setChosen] = useState(sprintId);
  // A later version may start earlier than the one it corrects.
  const firstDay = plans.map(({ from }) => from.startDate).toSorted()[0] ?? '';
  const recorded = (data ?? [])
    .filter(({ phase, startDate }) => phase === 'settled' && startDate >= firstDay)
    .toReversed();
  const sprint = recorded.find(({ id }) => id === chosen) ?? recorded[0];
  const save = useMutation({
    mutationFn: downloadStatements,
    onSuccess: onDone,
    meta: { what: 'Exporting the statements' },
  });
  if (error && !data)
    return (
      <PanelError sentence="Couldn’t load the sprints." onRetry={() => void refetch()} requestId={error.requestId} />
    );
  return (
    <Loading loading={!data} skeleton={<SkeletonRows rows={2} />}>
      {sprint ? (
        <>
          <p>
            The file has the recorded statement of everyone you can see, including disabled accounts: a row for each
            part, and the total once per person.
          </p>
          <SearchSelect
            label="Sprint"
            mt={12}
            data={recorded.map(({ id, name }) => ({ value: id, label: name }))}
            value={sprint.id}
            onChange={setChosen}
            allowDeselect={false}
          />
        </>
      ) : (
        <EmptyState title={noStatements.title}>{noStatements.sentence}</EmptyState>
      )}
      <DialogActions
        primary={sprint && 'Export CSV'}
        cancel={sprint ? 'Cancel' : 'Close'}
        busy={save.isPending}
        onPrimary={() => sprint && save.mutate(sprint.id)}
        focused
      />
    </Loading>
  );
}
