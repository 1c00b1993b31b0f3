import { ActionIcon } from '@mantine/core';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { dayWithYear, formatInstant } from '#core/base/day-words.ts';
import { config } from '#web/api/config.ts';
import { showToast } from '#web/ui/toasts.tsx';
import { Writes } from '#web/ui/writes.tsx';
import { type Evidence, setEvidenceWithdrawn, undo } from './qualification-queries.ts';
import classes from './qualifications-page.module.css';

type Props = { readonly evidence: readonly Evidence[]; readonly onEdit: (evidence: Evidence) => void };

const icon = { size: 16, stroke: 1.7 };

export function EvidenceList({ evidence, onEdit }: Props) {
  const withdraw = useMutation({
    mutationFn: ({ id }: Evidence) => setEvidenceWithdrawn(id, true),
    onSuccess: (_none, { id }) =>
      showToast({ message: 'Evidence withdrawn', onUndo: undo(() => setEvidenceWithdrawn(id, false)) }),
  });
  if (evidence.length === 0) return null;
  return (
    <ul className={classes.evidence}>
      {evidence.map((one) => {
        const of = dayWithYear(one.day);
        return (
          <li key={one.id}>
            <span className={classes.evidenceWords}>
              {one.note || 'No note'}
              <span className={classes.quiet}>
                {of}
                {one.goodUntil && `, good until ${dayWithYear(one.goodUntil)}`} · recorded by {one.recordedBy},{' '}
                {formatInstant(one.recordedAt, config().companyTimeZone)}
              </span>
            </span>
            <Writes>
              <ActionIcon aria-label={`Edit the evidence of ${of}`} onClick={() => onEdit(one)}>
                <IconPencil {...icon} />
              </ActionIcon>
            </Writes>
            <Writes>
              <ActionIcon
                aria-label={`Withdraw the evidence of ${of}`}
                disabled={withdraw.isPending}
                onClick={() => withdraw.mutate(one)}
              >
                <IconTrash {...icon} />
              </ActionIcon>
            </Writes>
          </li>
        );
      })}
    </ul>
  );
}
