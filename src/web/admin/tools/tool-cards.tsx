import { ActionIcon, Button, Menu, TextInput } from '@mantine/core';
import { IconDots, IconExternalLink } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { isPermission, permissions } from '#core/access/permissions.ts';
import {
  canEditToolCards,
  type ToolHealth,
  toolCardLimits,
  toolHealthKeys,
  toolHealths,
} from '#core/admin/tool-cards.ts';
import { config } from '#web/api/config.ts';
import { useViewer } from '#web/api/viewer.ts';
import { useAddress } from '#web/shell/address.ts';
import { Age } from '#web/ui/age.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Form, useForm } from '#web/ui/form.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import { Pill } from '#web/ui/pill.tsx';
import { SearchField } from '#web/ui/search-field.tsx';
import { Segmented } from '#web/ui/segmented.tsx';
import { useShortcuts } from '#web/ui/shortcuts.ts';
import { Loading, SkeletonRows } from '#web/ui/skeleton.tsx';
import { Writes } from '#web/ui/writes.tsx';
import pageClasses from '../shared/tools-page.module.css';
import { cardsQuery, steps, type ToolCard, useCardStep } from './tool-card-calls.ts';
import { ToolCardForm } from './tool-card-form.tsx';
import classes from './tool-cards.module.css';

type Props = { readonly card: ToolCard; readonly cards: readonly ToolCard[]; readonly edits: boolean };

export function ToolCardBox({ card, cards, edits }: Props) {
  const [form, setForm] = useState<'card' | 'health' | null>(null);
  const close = () => setForm(null);
  return (
    <li className={classes.card}>
      <div className={classes.head}>
        <a href={card.link} target="_blank" rel="noreferrer" className={classes.title}>
          {card.title}
          <IconExternalLink size={14} stroke={1.7} aria-hidden="true" />
          <span className="visually-hidden">opens in a new tab</span>
        </a>
        {edits && (
          <Writes>
            <CardMenu card={card} cards={cards} onForm={setForm} />
          </Writes>
        )}
      </div>
      {card.description && <p className={classes.description}>{card.description}</p>}
      <p className={classes.host}>{hostOf(card.link)}</p>
      <Health card={card} />
      <p className={classes.foot}>
        {ownerWords(card, edits)}
        {edits && card.permission && <span> · visible to {permissionTitle(card.permission)}</span>}
      </p>
      {form === 'card' && <ToolCardForm card={card} cards={cards} onClose={close} />}
      {form === 'health' && <ToolHealthForm card={card} onClose={close} />}
    </li>
  );
}

/** Someone who left can't be asked. Admins add tools, and choose another owner. */
function ownerWords({ ownerName, ownerDisabled }: ToolCard, edits: boolean): string {
  if (!ownerName) return 'No owner';
  if (!ownerDisabled) return `Ask ${ownerName}`;
  return `Owner: ${ownerName}. ${edits ? 'Choose another owner' : 'Ask an admin'}`;
}

const permissionTitle = (name: string): string => (isPermission(name) ? permissions[name].title : name);

/** The link's host, shown before anyone follows it. */
function hostOf(link: string): string {
  try {
    return new URL(link).host;
  } catch {
    return link;
  }
}

const healthTones = { works: 'good', trouble: 'warn', down: 'bad' } as const satisfies Record<ToolHealth, string>;

function Health({ card: { health, healthNote, healthAt } }: { card: ToolCard }) {
  return (
    <p className={classes.health}>
      <Pill tone={healthTones[health]}>{toolHealths[health]}</Pill>
      {health !== 'works' && (
        <span>
          reported <Age instant={healthAt} zone={config().companyTimeZone} ago />
        </span>
      )}
      {healthNote && <span className={classes.note}>{healthNote}</span>}
    </p>
  );
}

type MenuProps = {
  readonly card: ToolCard;
  readonly cards: readonly ToolCard[];
  readonly onForm: (form: 'card' | 'health') => void;
};

function CardMenu({ card, cards, onForm }: MenuProps) {
  const step = useCardStep();
  const group = cards.filter((other) => other.group === card.group);
  const place = group.findIndex(({ id }) => id === card.id);
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${card.title}`}>
          <IconDots size={16} stroke={1.7} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => onForm('health')}>Set health</Menu.Item>
        <Menu.Item onClick={() => onForm('card')}>Edit</Menu.Item>
        <Menu.Item disabled={place === 0} onClick={() => step.mutate(steps.move(card, -1))}>
          Move up
        </Menu.Item>
        <Menu.Item disabled={place === group.length - 1} onClick={() => step.mutate(steps.move(card, 1))}>
          Move down
        </Menu.Item>
        <Menu.Item color="danger" onClick={() => step.mutate(steps.remove(card))}>
          Remove
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

const healthOptions = toolHealthKeys.map((value) => ({ value, label: toolHealths[value] }));

/** People report whether a tool works: the server never requests an address that someone typed. */
function ToolHealthForm({ card, onClose }: { card: ToolCard; onClose: () => void }) {
  const form = useForm({
    initial: { health: card.health, note: card.healthNote },
    saved: {
      version: card.version,
      values: { health: card.health, note: card.healthNote },
      words: ({ health, note }) => ({ Health: toolHealths[health], Note: note }),
      onKept: onClose,
    },
    mutation: useCardStep({ quiet: true, onDone: onClose }),
    variables: ({ health, note }, version) => steps.health({ ...card, version }, health, note),
  });
  return (
    <Dialog opened title={`Health of ${card.title}`} onClose={onClose}>
      <Form form={form} submit="Set health">
        <Segmented
          label="Health"
          segments={healthOptions}
          value={form.values.health}
          onChange={(health) => form.set({ health })}
          focused
        />
        <TextInput
          label="Note"
          description="What people should know, such as when it’ll be back"
          maxLength={toolCardLimits.note}
          {...form.field('note')}
        />
      </Form>
    </Dialog>
  );
}

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
