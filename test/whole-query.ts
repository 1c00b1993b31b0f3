// A call of a root field that asks for everything that it can answer: every field of every type below it
// runs.
import { type GraphQLField, type GraphQLOutputType, getNamedType, isObjectType } from 'graphql';

/** As deep as a query may be. */
const deepest = 8;

export type WholeQuery = {
  readonly text: string;
  /** The fields of types below it, as `Task.title`. */
  readonly fields: ReadonlySet<string>;
};

export function wholeQuery(operation: 'query' | 'mutation', field: GraphQLField<unknown, unknown>): WholeQuery {
  const fields = new Set<string>();
  const select = (type: GraphQLOutputType, depth: number, above: readonly string[]): string => {
    const named = getNamedType(type);
    if (!isObjectType(named)) return '';
    const inner = Object.values(named.getFields()).flatMap((child) => {
      const below = getNamedType(child.type);
      if (isObjectType(below) && (depth >= deepest || above.includes(below.name))) return [];
      fields.add(`${named.name}.${child.name}`);
      return [child.name + select(child.type, depth + 1, [...above, named.name])];
    });
    return ` { ${inner.join(' ')} }`;
  };
  const declared = field.args.map(({ name, type }) => `$${name}: ${type}`).join(', ');
  const given = field.args.map(({ name }) => `${name}: $${name}`).join(', ');
  const call = field.args.length > 0 ? `${field.name}(${given})` : field.name;
  const selection = select(field.type, 2, []);
  return { text: `${operation}${declared && ` (${declared})`} { ${call}${selection} }`, fields };
}
