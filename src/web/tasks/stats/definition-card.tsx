import { DefinitionCard as Card } from '#web/charts/definition-card.tsx';
import { type DefinitionKey, definitions } from './stats-definitions.ts';

/** The button beside a number of the stats that opens its meaning and formula. */
export function DefinitionCard({ of }: { of: DefinitionKey }) {
  return <Card {...definitions[of]} />;
}
