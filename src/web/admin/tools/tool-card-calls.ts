// The staff tools' cards as the page reads and changes them.
import { queryOptions } from '@tanstack/react-query';
import type { ToolHealth } from '#core/admin/tool-cards.ts';
import { useChange } from '#web/api/change.ts';
import { graphql, type ResultOf } from '#web/api/graphql.ts';
import { orWithoutNewFields, request } from '#web/api/request.ts';

const cardFields = graphql(`
  fragment ToolCardFields on ToolCard @_unmask {
    id
    group
    title
    description
    link
    ownerId
    ownerName
    permission
    health
    healthNote
    healthAt
    version
  }
`);
const cardsDocument = graphql(
  `
    query ToolCards {
      toolCards {
        ...ToolCardFields
        ownerDisabled
      }
    }
  `,
  [cardFields],
);
const olderCardsDocument = graphql(
  `
    query OlderToolCards {
      toolCards {
        ...ToolCardFields
      }
    }
  `,
  [cardFields],
);
export type ToolCard = ResultOf<typeof cardFields> & { readonly ownerDisabled?: boolean };

export const cardsQuery = queryOptions({
  queryKey: ['tools', 'cards'],
  queryFn: async ({ signal }) => {
    const read = orWithoutNewFields<{ readonly toolCards: ToolCard[] }>(request(cardsDocument, {}, { signal }), () =>
      request(olderCardsDocument, {}, { signal }),
    );
    return (await read).toolCards;
  },
});

const createDocument = graphql(`
  mutation CreateToolCard($title: String!, $group: String!, $link: String!, $description: String, $ownerId: String, $permission: String) {
    card: createToolCard(title: $title, group: $group, link: $link, description: $description, ownerId: $ownerId, permission: $permission) {
      id
      version
    }
  }
`);
const updateDocument = graphql(`
  mutation UpdateToolCard($id: ID!, $version: Int, $title: String, $group: String, $link: String, $description: String, $ownerId: String, $permission: String) {
    card: updateToolCard(id: $id, version: $version, title: $title, group: $group, link: $link, description: $description, ownerId: $ownerId, permission: $permission) {
      id
      version
    }
  }
`);
const healthDocument = graphql(`
  mutation SetToolHealth($id: ID!, $version: Int, $health: ToolHealth!, $note: String) {
    card: setToolHealth(id: $id, version: $version, health: $health, note: $note) {
      id
      version
    }
  }
`);
const removeDocument = graphql(`
  mutation RemoveToolCard($id: ID!, $version: Int) {
    card: removeToolCard(id: $id, version: $version) {
      id
      version
    }
  }
`);
const restoreDocument = graphql(`
  mutation RestoreToolCard($id: ID!, $version: Int) {
    card: restoreToolCard(id: $id, version: $version) {
      id
      version
    }
  }
`);
const moveDocument = graphql(`
  mutation MoveToolCard($id: ID!, $by: Int!) {
    card: moveToolCard(id: $id, by: $by) {
      id
      version
    }
  }
`);

export type CardValues = {
  readonly title: string;
  readonly group: string;
  readonly link: string;
  readonly description: string;
  readonly ownerId: string;
  readonly permission: string;
};
export const valuesOf = ({ title, group, link, description, ownerId, permission }: ToolCard): CardValues => ({
  ...{ title, group, link, description },
  ownerId: ownerId ?? '',
  permission: permission ?? '',
});

type Known = { readonly id: string; readonly version: number };
type Made = { readonly card: Known };

/** A change, its toast and its undo. */
type Step = {
  readonly run: () => Promise<Made>;
  readonly done: string;
  readonly undo: (now: Known) => Promise<Made>;
};

export const steps = {
  create: (values: CardValues): Step => ({
    run: () => request(createDocument, values),
    done: `${values.title} added`,
    undo: (now) => request(removeDocument, now),
  }),
  update: (card: ToolCard, values: CardValues): Step => ({
    run: () => request(updateDocument, { id: card.id, version: card.version, ...values }),
    done: `${values.title} changed`,
    undo: (now) => request(updateDocument, { ...now, ...valuesOf(card) }),
  }),
  health: (card: ToolCard, health: ToolHealth, note: string): Step => ({
    run: () => request(healthDocument, { id: card.id, version: card.version, health, note }),
    done: `Health of ${card.title} set`,
    undo: (now) => request(healthDocument, { ...now, health: card.health, note: card.healthNote }),
  }),
  remove: (card: ToolCard): Step => ({
    run: () => request(removeDocument, { id: card.id, version: card.version }),
    done: `${card.title} removed`,
    undo: (now) => request(restoreDocument, now),
  }),
  move: (card: ToolCard, by: 1 | -1): Step => ({
    run: () => request(moveDocument, { id: card.id, by }),
    done: `${card.title} moved ${by === 1 ? 'down' : 'up'}`,
    undo: ({ id }) => request(moveDocument, { id, by: -by }),
  }),
};

/** Failures show as a toast, except for `quiet` forms. */
export function useCardStep({ quiet = false, onDone = () => {} }: { quiet?: boolean; onDone?: () => void } = {}) {
  return useChange({
    send: (step: Step) => step.run(),
    touches: [cardsQuery.queryKey],
    meta: { quiet },
    onDone,
    done: ({ card }, { done, undo }) => ({ message: done, undo: () => undo(card) }),
  });
}
