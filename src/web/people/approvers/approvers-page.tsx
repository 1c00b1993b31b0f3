import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { isAdmin } from '#core/access/access.ts';
import { plural } from '#core/base/formats.ts';
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
import { Writes } from '#web/ui/writes.tsx';
import { optionsOf } from './approver-choice.tsx';
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
        expected="44 people, 7 approvers. 12 tasks wait for a decision."
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

function sentenceOf({ map }: Management): string {
  const people = map.people.filter(({ person }) => !person.disabled);
  const waiting = map.people.reduce((sum, { person }) => sum + person.toApprove + person.toSignOff, 0);
  const tasks = plural(waiting, 'task waits', 'tasks wait');
  const undecided = people.filter(({ unapproved }) => unapproved).length;
  const warning = undecided === 0 ? '' : ` Nobody can approve the tasks of ${plural(undecided, 'person', 'people')}.`;
  return `${plural(people.length, 'person', 'people')}, ${plural(map.approvers.length, 'approver')}. ${tasks} for a decision.${warning}`;
}

function Lists({ management, view }: { management: Management; view: 'people' | 'approvers' }) {
  const [words, setWords] = useState('');
  const find = (
    <SearchField
      label="Find a person, approver or team"
      scope="Approver management"
      width={280}
      value={words}
      onChange={setWords}
    />
  );
  return (
    <div className={classes.page}>
      <div className={classes.default}>
        <DefaultApprover key={management.defaultVersion} management={management} />
      </div>
      {view === 'people' ? (
        <PeopleList management={management} words={words} search={find} onClear={() => setWords('')} />
      ) : (
        <ApproverList management={management} words={words} search={find} onClear={() => setWords('')} />
      )}
    </div>
  );
}

/** Who approves for people without an approver. */
function DefaultApprover({ management }: { management: Management }) {
  const { people, defaultApproverId, defaultIsChosen, defaultVersion } = management;
  const saving = useSetDefaultApprover();
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
        data={optionsOf(people, null, defaultApproverId === null ? [] : [defaultApproverId])}
        value={defaultApproverId}
        onChange={(approverId) => saving.mutate({ approverId, version: defaultVersion })}
        disabled={saving.isPending || !mayChoose}
        placeholder="Nobody"
        clearable
        limit={50}
        w={280}
        nothingFoundMessage="No matching people"
      />
    </Writes>
  );
}
