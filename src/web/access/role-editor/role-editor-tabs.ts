// The parts of the role editor. Each loads when it is looked at; a new one is a line here.
import type { FunctionComponent } from 'react';
import { lazyPart } from '#web/ui/lazy-part.tsx';

type Part = { readonly title: string; readonly Content: FunctionComponent };

export const roleEditorTabs = {
  roles: {
    title: 'Roles',
    Content: lazyPart(
      () => import('./roles-part.tsx'),
      (module) => module.default,
    ),
  },
  doctor: {
    title: 'Permission doctor',
    Content: lazyPart(
      () => import('./doctor-part.tsx'),
      (module) => module.default,
    ),
  },
} as const satisfies Record<string, Part>;

export type RoleEditorTab = keyof typeof roleEditorTabs;
export const roleEditorTabKeys = Object.keys(roleEditorTabs) as RoleEditorTab[];

/** The first one where the address names none that there is. */
export function readTab(text: string | undefined): RoleEditorTab {
  return roleEditorTabKeys.find((key) => key === text) ?? 'roles';
}
