import { DefinitionCard as Card } from '#web/charts/definition-card.tsx';
import { type DefinitionKey, definitions } from './stats-definitions.ts';

/** The button next to a statistic that opens its definition. */
export function DefinitionCard({ of }: { of: DefinitionKey }) {
  return <Card {...definitions[of]} />;
}
