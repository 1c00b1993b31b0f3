import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { canEditToolCards } from '#core/admin/tool-cards.ts';
import { useViewer } from '#web/api/viewer.ts';
import { useAddress } from '#web/shell/address.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import { SearchField } from '#web/ui/search-field.tsx';
import { useShortcuts } from '#web/ui/shortcuts.ts';
import { Loading, SkeletonRows } from '#web/ui/skeleton.tsx';
import { Writes } from '#web/ui/writes.tsx';
import pageClasses from '../shared/tools-page.module.css';
import { ToolCardBox } from './tool-card-box.tsx';
import { cardsQuery, type ToolCard } from './tool-card-calls.ts';
import { ToolCardForm } from './tool-card-form.tsx';
import classes from './tool-cards.module.css';

const wordsOf = (card: ToolCard): string =>
  [card.title, card.group, card.description, card.ownerName, card.link].join(' ').toLowerCase();

/** The staff tools by group; admins also edit them here. */
export default function ToolCards() {
  const edits = canEditToolCards(useViewer());
  const [{ find = '' }, change] = useAddress('/tools');
  const [adding, setAdding] = useState(false);
  const { data, error, isPending, refetch } = useQuery(cardsQuery);
  useShortcuts(
    edits
      ? [{ key: 'c', label: 'Add tool', scope: 'Tools', writes: true, opensForm: true, run: () => setAdding(true) }]
      : [],
  );
  if (error && !data)
    return (
      <PanelError sentence="Couldn’t load the tools." requestId={error.requestId} onRetry={() => void refetch()} />
    );
  const cards = data ?? [];
  const found = cards.filter((card) => wordsOf(card).includes(find.trim().toLowerCase()));
  return (
    <Loading loading={isPending} skeleton={<SkeletonRows />}>
      <div className={pageClasses.bar}>
        {cards.length > 0 && (
          <SearchField
            label="Find a tool"
            scope="Tools"
            width={240}
            value={find}
            onChange={(words) => change({ find: words || null }, { replace: true })}
          />
        )}
        {edits && (
          <Writes>
            <Button className={pageClasses.push} onClick={() => setAdding(true)} aria-keyshortcuts="c">
              Add tool
            </Button>
          </Writes>
        )}
      </div>
      <Groups cards={found} all={cards} edits={edits} />
      {adding && <ToolCardForm card={null} cards={cards} onClose={() => setAdding(false)} />}
    </Loading>
  );
}

type GroupsProps = { readonly cards: readonly ToolCard[]; readonly all: readonly ToolCard[]; readonly edits: boolean };

function Groups({ cards, all, edits }: GroupsProps) {
  if (all.length === 0)
    return (
      <Panel flush>
        <EmptyState title="No tools yet">
          {edits ? 'Add the first one with its link, purpose and owner.' : 'An admin hasn’t added any tools yet.'}
        </EmptyState>
      </Panel>
    );
  if (cards.length === 0)
    return (
      <Panel flush>
        <EmptyState title="No matching tools">Try another word or the owner’s name.</EmptyState>
      </Panel>
    );
  const groups = Map.groupBy(cards, ({ group }) => group);
  return (
    <div className={classes.groups}>
      {[...groups].map(([group, ofGroup]) => (
        <section key={group} aria-label={group}>
          <h2 className={classes.group}>{group}</h2>
          <ul className={classes.cards}>
            {ofGroup.map((card) => (
              <ToolCardBox key={card.id} card={card} cards={all} edits={edits} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}
