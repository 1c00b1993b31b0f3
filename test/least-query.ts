// The smallest call of any field of the schema: for tests that try all of them, those of tomorrow too.
import {
  type GraphQLField,
  type GraphQLInputType,
  getNamedType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredArgument,
  isRequiredInputField,
} from 'graphql';

/** A call of a root field with the least that it takes. */
export function leastQuery(operation: 'query' | 'mutation', field: GraphQLField<unknown, unknown>): string {
  const given = field.args.filter(isRequiredArgument).map((arg) => `${arg.name}: ${literalOf(arg.type)}`);
  const selection = isCompositeType(getNamedType(field.type)) ? ' { __typename }' : '';
  return `${operation} { ${field.name}${given.length > 0 ? `(${given.join(', ')})` : ''}${selection} }`;
}

function literalOf(type: GraphQLInputType): string {
  if (isNonNullType(type)) return literalOf(type.ofType);
  if (isListType(type)) return `[${literalOf(type.ofType)}]`;
  if (isEnumType(type)) return type.getValues()[0]?.name ?? '';
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields()).filter(isRequiredInputField);
    return `{ ${fields.map((field) => `${field.name}: ${literalOf(field.type)}`).join(', ')} }`;
  }
  return { Int: '0', Float: '0', Boolean: 'true', ID: '"999999999"', String: '"x"' }[type.name] ?? '"x"';
}
