import { Select } from '@mantine/core';
import { permittedScopes, scopes } from '#core/access/brands.ts';
import { useViewer } from '#web/api/viewer.ts';

type Props = { readonly chosen: string | null; readonly onChoose: (scope: string | null) => void };

const everybody = 'everybody';

/** The scopes that the viewer may see; without any there is nothing to choose (D22). */
export function ScopeSelect({ chosen, onChoose }: Props) {
  const permitted = permittedScopes(useViewer());
  if (permitted.length === 0) return null;
  return (
    <Select
      aria-label="Scope"
      w={144}
      data={[
        { value: everybody, label: 'All I may see' },
        ...permitted.map((scope) => ({ value: scope, label: scopes[scope].title })),
      ]}
      value={chosen ?? everybody}
      onChange={(value) => onChoose(value === everybody ? null : value)}
      allowDeselect={false}
    />
  );
}
