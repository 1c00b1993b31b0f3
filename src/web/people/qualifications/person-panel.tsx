import { ActionIcon, Button } from '@mantine/core';
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { dayInZone, dayWithYear, formatInstant } from '#core/base/day-words.ts';
import { isExcepted } from '#core/people/qualifications.ts';
import { requirementWords } from '#web/access/shared/qualification-words.ts';
import { StatePill } from '#web/access/shared/state-pill.tsx';
import { ViewAsButton } from '#web/access/shared/view-as-button.tsx';
import { asApiError } from '#web/api/api-error.ts';
import { useChange } from '#web/api/change.ts';
import { config } from '#web/api/config.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import { SidePanel } from '#web/ui/side-panel.tsx';
import { Loading, SkeletonRows } from '#web/ui/skeleton.tsx';
import { Writes } from '#web/ui/writes.tsx';
import { EvidenceDialog } from './evidence-dialog.tsx';
import {
  type Evidence,
  type Exception,
  evidenceQuery,
  personQuery,
  type QualifiedPerson,
  type QualifiedRole,
  qualificationKeys,
  type Requirement,
  setEvidenceWithdrawn,
} from './qualification-queries.ts';
import classes from './qualifications-page.module.css';

type Props = { readonly role: QualifiedRole; readonly personId: string | null; readonly onClose: () => void };

/** One person next to the list: each of the role's requirements with its evidence. */
export function PersonPanel({ role, personId, onClose }: Props) {
  return (
    <SidePanel inAddress opened={personId !== null} title={`Evidence for ${role.name}`} onClose={onClose}>
      {personId !== null && <Content role={role} personId={personId} />}
    </SidePanel>
  );
}

function Content({ role, personId }: { role: QualifiedRole; personId: string }) {
  const person = useQuery(personQuery(role.name, personId));
  const evidence = useQuery(evidenceQuery(role.name, personId));
  const error = person.error ?? evidence.error;
  const isShown = person.data !== undefined && evidence.data !== undefined;
  if (error && !isShown)
    return (
      <PanelError
        sentence="Couldn’t load the evidence."
        requestId={asApiError(error).requestId}
        onRetry={() => void Promise.all([person.refetch(), evidence.refetch()])}
      />
    );
  return (
    <Loading loading={person.isPending || evidence.isPending} skeleton={<SkeletonRows rows={4} />}>
      {person.data ? (
        <Person person={person.data} role={role} evidence={evidence.data ?? []} />
      ) : (
        <EmptyState title="Person not found">The account is disabled or doesn’t exist.</EmptyState>
      )}
    </Loading>
  );
}

type PersonProps = {
  readonly person: QualifiedPerson;
  readonly role: QualifiedRole;
  readonly evidence: readonly Evidence[];
};

function Person({ person, role, evidence }: PersonProps) {
  const [edited, setEdited] = useState<{ requirement: Requirement; evidence: Evidence | null } | null>(null);
  return (
    <>
      <div className={classes.personHead}>
        <div className={classes.requirement}>
          <span className={classes.requirementTitle}>{person.displayName}</span>
          <span className={classes.quiet}>{person.role ? `Has the role ${person.role}` : 'Has no role'}</span>
        </div>
        <ViewAsButton as={{ personId: person.id }} />
      </div>
      {person.exception && <ExceptionGiven {...person.exception} />}
      {role.requirements.length === 0 && (
        <EmptyState title={`${role.name} has no requirements yet`}>Add a requirement first.</EmptyState>
      )}
      {role.requirements.map((requirement) => (
        <Asked
          key={requirement.id}
          requirement={requirement}
          person={person}
          evidence={evidence.filter(({ requirementId }) => requirementId === requirement.id)}
          onEdit={(one) => setEdited({ requirement, evidence: one })}
        />
      ))}
      {edited && (
        <EvidenceDialog
          requirement={edited.requirement}
          evidence={evidence.find(({ id }) => id === edited.evidence?.id) ?? edited.evidence}
          person={person}
          onClose={() => setEdited(null)}
        />
      )}
    </>
  );
}

function ExceptionGiven({ by, at, reason }: Exception) {
  const given = dayWithYear(dayInZone(at, config().companyTimeZone));
  return (
    <p className={classes.exception}>
      Exception given {by && `by ${by} `}on {given}: {reason}
    </p>
  );
}

type AskedProps = {
  readonly requirement: Requirement;
  readonly person: QualifiedPerson;
  readonly evidence: readonly Evidence[];
  /** Null for new evidence. */
  readonly onEdit: (evidence: Evidence | null) => void;
};

function Asked({ requirement, person, evidence, onEdit }: AskedProps) {
  const standing = person.standings.find(({ requirementId }) => requirementId === requirement.id);
  const byConfirming = requirement.kind === 'guideline' && evidence.length === 0 && standing?.state === 'met';
  return (
    <section className={classes.asked} aria-label={requirement.title}>
      <div className={classes.askedHead}>
        <div>
          <h3>{requirement.title}</h3>
          <span className={classes.quiet}>{requirementWords(requirement)}</span>
        </div>
        {standing && <StatePill {...standing} excepted={isExcepted([standing], person.exception)} />}
      </div>
      {byConfirming && <p className={classes.quiet}>Confirmed the current guidelines.</p>}
      <EvidenceList evidence={evidence} onEdit={onEdit} />
      <Writes>
        <Button
          variant="default"
          leftSection={<IconPlus size={15} stroke={2} />}
          onClick={() => onEdit(null)}
          aria-label={`Record evidence for ${requirement.title}`}
        >
          Record evidence
        </Button>
      </Writes>
    </section>
  );
}

type EvidenceListProps = { readonly evidence: readonly Evidence[]; readonly onEdit: (evidence: Evidence) => void };

const icon = { size: 16, stroke: 1.7 };

function EvidenceList({ evidence, onEdit }: EvidenceListProps) {
  const withdraw = useChange({
    send: ({ id }: Evidence) => setEvidenceWithdrawn(id, true),
    touches: qualificationKeys,
    done: (_none, { id }) => ({ message: 'Evidence withdrawn', undo: () => setEvidenceWithdrawn(id, false) }),
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
                {one.goodUntil && `, valid until ${dayWithYear(one.goodUntil)}`} · recorded by {one.recordedBy},{' '}
                {formatInstant(one.recordedAt, config().companyTimeZone)}
              </span>
            </span>
            <Writes>
              <ActionIcon aria-label={`Edit evidence of ${of}`} onClick={() => onEdit(one)}>
                <IconPencil {...icon} />
              </ActionIcon>
            </Writes>
            <Writes>
              <ActionIcon
                aria-label={`Withdraw evidence of ${of}`}
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
