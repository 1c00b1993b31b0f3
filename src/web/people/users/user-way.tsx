import { Button } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { ConfirmDialog } from '#web/ui/dialog.tsx';
import { WayRow } from '#web/ui/way-row.tsx';
import { Writes } from '#web/ui/writes.tsx';
import { useRemoveWay, type WayToRemove } from './users-calls.ts';
import type { User } from './users-queries.ts';

type Removal = {
  readonly verb: string;
  readonly way: WayToRemove;
  /** A question before removal, if the person can't easily add it again. */
  readonly question?: { readonly title: string; readonly confirm: string; readonly words: string };
};

/** A row of a person's ways in. Without `removal` it can't be removed separately. */
export type Way = {
  readonly key: string;
  readonly icon: Icon;
  readonly title: string;
  readonly mark?: string | false;
  readonly facts: ReactNode;
  readonly removal?: Removal;
};

export function UserWay({ way: { removal, ...row }, user }: { readonly way: Way; readonly user: User }) {
  const { icon, title, mark, facts } = row;
  return (
    <WayRow
      icon={icon}
      title={title}
      mark={mark}
      facts={facts}
      action={removal && <Remove removal={removal} title={title} user={user} />}
    />
  );
}

type RemoveProps = { readonly removal: Removal; readonly title: string; readonly user: User };

function Remove({ removal: { verb, way, question }, title, user }: RemoveProps) {
  const [asking, setAsking] = useState(false);
  const remove = useRemoveWay(user);
  const onRemove = () => remove.mutate(way, { onSettled: () => setAsking(false) });
  return (
    <Writes>
      <Button
        variant="default"
        disabled={remove.isPending}
        aria-label={`${verb}: ${title}`}
        onClick={() => (question ? setAsking(true) : onRemove())}
      >
        {verb}
      </Button>
      {question && (
        <ConfirmDialog
          opened={asking}
          title={question.title}
          confirm={question.confirm}
          danger
          busy={remove.isPending}
          onConfirm={onRemove}
          onClose={() => setAsking(false)}
        >
          {question.words}
        </ConfirmDialog>
      )}
    </Writes>
  );
}
