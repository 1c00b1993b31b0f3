// Chooses oneself or someone whose tasks one decides.
import { useQuery } from '@tanstack/react-query';
import { callAccess, callRefusal } from '#core/access/call-access.ts';
import { useViewer } from '#web/api/viewer.ts';
import { usePersonSelectOf } from '#web/people/shared/people-to-choose.ts';
import { PanelError } from '#web/ui/panel-error.tsx';
import { SearchSelect } from '#web/ui/search-select.tsx';
import classes from './decided-person-select.module.css';
import { decidedPeopleQuery } from './queries.ts';

export function useDecidedPeople() {
  const decides = callRefusal(useViewer(), callAccess.decisions) === null;
  const others = useQuery({ ...decidedPeopleQuery({ find: '' }), enabled: decides });
  return {
    /** Whether there are people whose tasks the viewer decides. */
    forOthers: (others.data ?? []).length > 0,
    /** Reads those people again, if they couldn't be read. */
    onReadOthers: others.isError && !others.data ? () => void others.refetch() : undefined,
  };
}

type Props = {
  /** The option for the viewer. */
  readonly own: string;
  readonly personId: string;
  readonly onPerson: (id: string) => void;
};

/** Nothing for people who decide for nobody. */
export function DecidedPersonSelect(props: Props) {
  const { forOthers, onReadOthers } = useDecidedPeople();
  return (
    <>
      {forOthers && <PersonChoice {...props} />}
      {onReadOthers && <PanelError sentence="Couldn’t load the people." onRetry={onReadOthers} />}
    </>
  );
}

function PersonChoice({ own, personId, onPerson }: Props) {
  const viewer = useViewer();
  const select = usePersonSelectOf(decidedPeopleQuery, personId, {}, { value: viewer.id, label: own });
  return (
    <SearchSelect
      className={classes.person}
      aria-label="Person"
      allowDeselect={false}
      {...select}
      value={personId}
      onChange={(id) => id && onPerson(id)}
    />
  );
}
