import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { isAdmin } from '#core/access/access.ts';
import { activePeople, countWords, plural } from '#core/base/formats.ts';
import { useViewer } from '#web/api/viewer.ts';
import { useAddress } from '#web/shell/address.ts';
import { usePageTitle } from '#web/shell/page-title.ts';
import { PageHead } from '#web/ui/page-head.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import { SearchField } from '#web/ui/search-field.tsx';
import { SearchSelect } from '#web/ui/search-select.tsx';
import { Segmented } from '#web/ui/segmented.tsx';
import { Loading, SkeletonRows } from '#web/ui/skeleton.tsx';
import { typingPauseMs } from '#web/ui/timing.ts';
import { Writes } from '#web/ui/writes.tsx';
import { useApproverOptions } from '../shared/approver-picker.tsx';
import { unapprovedSentence } from '../shared/people-counts.ts';
import { ApproverList } from './approver-list.tsx';
import { type Management, managementQuery, useSetDefaultApprover } from './approver-queries.ts';
import classes from './approvers.module.css';
import { PeopleList } from './people-list.tsx';

const views = [
  { value: 'people', label: 'By person' },
  { value: 'approvers', label: 'By approver' },
];

export default function ApproversPage() {
  const [search, change] = useAddress('/approvermanagement');
  const view = search.view ?? 'people';
  const read = useQuery(managementQuery);
  const { data } = read;
  return (
    <>
      <PageHead
        title={usePageTitle()}
        sentence={data && sentenceOf(data)}
        expected="44 active people, 7 approvers. 12 tasks are waiting for a decision."
        actions={
          <Segmented
            label="View"
            segments={views}
            value={view}
            onChange={(next) => change({ view: next === 'approvers' ? next : null, open: null })}
          />
        }
      />
      {read.isError && !data ? (
        <Panel flush>
          <PanelError
            sentence="Couldn’t load the approvers."
            requestId={read.error.requestId}
            onRetry={() => void read.refetch()}
          />
        </Panel>
      ) : (
        <Loading loading={!data} skeleton={<SkeletonRows rows={12} />}>
          {data && <Lists management={data} view={view} />}
        </Loading>
      )}
    </>
  );
}

function sentenceOf({ counts }: Management): string {
  const { active, approvers, unable = 0, undecided } = counts;
  const tasks = plural(counts.tasks, 'task is waiting', 'tasks are waiting');
  const warning = undecided === 0 ? '' : ` ${unapprovedSentence(undecided)}.`;
  const cannot = unable === 0 ? '' : `, ${countWords(unable)} of them unable to approve`;
  return `${activePeople(active)}, ${plural(approvers, 'approver')}${cannot}. ${tasks} for a decision.${warning}`;
}

function Lists({ management, view }: { management: Management; view: 'people' | 'approvers' }) {
  const [typed, setWords] = useState('');
  const [words] = useDebouncedValue(typed.trim(), typingPauseMs);
  const find = (
    <SearchField
      label="Find a person or team"
      scope="Approver Management"
      width={280}
      value={typed}
      onChange={setWords}
    />
  );
  return (
    <div className={classes.page}>
      <div className={classes.default}>
        <DefaultApprover key={management.defaultVersion} management={management} />
      </div>
      {view === 'people' ? (
        <PeopleList counts={management.counts} words={words} search={find} onClear={() => setWords('')} />
      ) : (
        <ApproverList count={management.counts.approvers} words={words} search={find} onClear={() => setWords('')} />
      )}
    </div>
  );
}

/** Who approves for people without an approver. */
function DefaultApprover({ management }: { management: Management }) {
  const { defaultApproverId, defaultIsChosen } = management;
  const saving = useSetDefaultApprover();
  const chosen = useMemo(() => (defaultApproverId === null ? [] : [defaultApproverId]), [defaultApproverId]);
  const { select } = useApproverOptions({ chosen });
  // It also approves for admins, and for the person who chooses it.
  const mayChoose = isAdmin(useViewer());
  return (
    <Writes>
      <SearchSelect
        label="Default approver"
        description={
          defaultApproverId !== null && !defaultIsChosen
            ? 'Approves for people without an approver. Set in the server’s configuration'
            : `Approves for people without an approver${mayChoose ? '' : '. Only an admin can change it'}`
        }
        {...select}
        value={defaultApproverId}
        onChange={(approverId) => saving.mutate({ approverId, from: management })}
        disabled={saving.isPending || !mayChoose}
        placeholder="Nobody"
        clearable
        w={280}
      />
    </Writes>
  );
}
