import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { callAccess, callRefusal } from '#core/access/call-access.ts';
import { useViewer } from '#web/api/viewer.ts';
import { bonusPeopleQuery } from './bonus-queries.ts';
import { useBonusChoice } from './use-bonus-choice.ts';

/** Whose statement is shown: one's own, or of somebody whose tasks one decides. */
export function PersonSelect() {
  const viewer = useViewer();
  const decides = callRefusal(viewer, callAccess.decisions) === null;
  const people = useQuery({ ...bonusPeopleQuery, enabled: decides });
  const { userId, choosePerson } = useBonusChoice();
  if (!decides || !people.data || people.data.length === 0) return null;
  const others = people.data.filter(({ id }) => id !== viewer.id);
  return (
    <Select
      aria-label="Whose statement"
      w={210}
      data={[
        { value: viewer.id, label: 'My own statement' },
        ...others.map(({ id, displayName }) => ({ value: id, label: displayName })),
      ]}
      value={userId}
      onChange={choosePerson}
      allowDeselect={false}
      searchable
      limit={100}
      nothingFoundMessage="Nobody of that name"
    />
  );
}
