// Lists the requested fields of a result, to read only those.
import type { FieldNode, GraphQLResolveInfo, SelectionSetNode } from 'graphql';

/**
 * Calls `read` with the requested field paths (`notes`, `notes.text`) and caches the result per document,
 * because queries repeat.
 */
export function forFieldsAsked<Made>(read: (fields: ReadonlySet<string>) => Made): (info: GraphQLResolveInfo) => Made {
  const known = new WeakMap<FieldNode, Made>();
  return (info) => {
    const first = info.fieldNodes[0]!;
    const made = known.get(first) ?? read(fieldsOf(info));
    known.set(first, made);
    return made;
  };
}

/** Includes fragments. Ignores directives, because a skipped field may be included next time. */
function fieldsOf({ fieldNodes, fragments }: GraphQLResolveInfo): ReadonlySet<string> {
  const names = new Set<string>();
  const collect = ({ selections }: SelectionSetNode, prefix: string): void => {
    for (const node of selections) {
      if (node.kind !== 'Field') {
        collect((node.kind === 'InlineFragment' ? node : fragments[node.name.value]!).selectionSet, prefix);
        continue;
      }
      const name = `${prefix}${node.name.value}`;
      names.add(name);
      if (node.selectionSet) collect(node.selectionSet, `${name}.`);
    }
  };
  for (const { selectionSet } of fieldNodes) if (selectionSet) collect(selectionSet, '');
  return names;
}
