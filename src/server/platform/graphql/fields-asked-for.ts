// What a query asks of what a resolver gives, so that it reads no more than that.
import type { FieldNode, GraphQLResolveInfo, SelectionSetNode } from 'graphql';

/** What `read` makes of the paths of the fields (`notes`, `notes.text`), made once a document: the server keeps those that are asked again. */
export function forFieldsAsked<Made>(read: (fields: ReadonlySet<string>) => Made): (info: GraphQLResolveInfo) => Made {
  const known = new WeakMap<FieldNode, Made>();
  return (info) => {
    const first = info.fieldNodes[0]!;
    const made = known.get(first) ?? read(fieldsOf(info));
    known.set(first, made);
    return made;
  };
}

/** Those of fragments among them. Whether a directive leaves one out does not count: it may be asked. */
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
