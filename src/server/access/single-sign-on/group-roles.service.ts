// Which roles the identity provider's groups give, by role id instead of name (T14).

import { adminRole } from '#core/access/access.ts';
import type { GroupMapping } from '#core/access/role-changes.ts';
import type { GroupRoles } from '#core/access/single-sign-on.ts';
import { startRequest } from '#core/admin/audit-log.ts';
import { addToGroup } from '#core/base/groups.ts';
import { recordAudit } from '#server/platform/audit/audit.service.ts';
import type { Services } from '#server/platform/context.ts';
import type { Queries } from '#server/platform/db/database.ts';
import * as store from './group-roles.store.ts';

type Actor = Parameters<typeof recordAudit>[1];

/**
 * The mapping with each role's current name. A new or changed line of the configuration is bound to the role
 * of that name. A line for a missing role gives nothing. One whose role was deleted gives nothing until the
 * configuration changes, because another role may have taken the name.
 */
export async function boundGroupRoles(queries: Queries, actor: Actor, mapping: GroupRoles): Promise<GroupRoles> {
  const bindings = new Map((await store.readBindings(queries)).map((binding) => [binding.group, binding]));
  const bound: { group: string; role: string }[] = [];
  for (const line of mapping) {
    const binding = bindings.get(line.group);
    const known = binding?.configuredName === line.role ? binding : undefined;
    if (line.role === adminRole) bound.push(line);
    else if (known?.role) bound.push({ group: line.group, role: known.role });
    else if (!known && (await bind(queries, actor, line, binding))) bound.push(line);
  }
  return bound;
}

async function bind(
  queries: Queries,
  actor: Actor,
  { group, role }: GroupRoles[number],
  before: store.GroupBinding | undefined,
): Promise<boolean> {
  const roleId = await store.bindGroup(queries, { group, role, at: actor.clock.now().toString() });
  if (roleId === undefined) return false;
  await recordAudit(queries, actor, {
    action: 'groupRoleBound',
    subjectType: 'group',
    subjectId: group,
    ...(before ? { before: { role: before.role, roleId: before.roleId } } : {}),
    after: { role, roleId },
  });
  return true;
}

/** At the start: binds new lines and logs what each group gives. */
export async function bindGroupRoles({ database, clock, config, log }: Services): Promise<void> {
  const mapping = config.oidc?.groupRoles ?? [];
  if (mapping.length === 0) return;
  const actor = { clock, viewer: null, requestId: startRequest, address: '' };
  const groups = mapping.map(({ group }) => group);
  const bound = await database.transaction(async (queries) => {
    await store.deleteOtherBindings(queries, groups);
    return boundGroupRoles(queries, actor, mapping);
  });
  for (const { group, role: configured } of mapping) {
    const role = bound.find((line) => line.group === group)?.role;
    if (role === undefined)
      log.warn(
        { group, role: configured },
        `OIDC_GROUP_ROLES: there is no role “${configured}”, or it was deleted. The group “${group}” gives none`,
      );
    else log.info({ group, role, ...(role === configured ? {} : { configured }) }, 'the group gives this role');
  }
}

/**
 * What the role editor needs to know about groups: which roles they give, and which names the configuration
 * uses.
 */
export async function groupMapping(
  queries: Queries,
  { oidc }: Pick<Services['config'], 'oidc'>,
): Promise<GroupMapping> {
  const configured = new Map((oidc?.groupRoles ?? []).map(({ group, role }) => [group, role]));
  const groupsOf = new Map<string, string[]>();
  for (const { group, configuredName, roleId } of await store.readBindings(queries))
    if (roleId !== null && configured.get(group) === configuredName) addToGroup(groupsOf, roleId, group);
  return { groupsOf, names: [...new Set(configured.values())] };
}

export { renameGroupRole } from './group-roles.store.ts';
