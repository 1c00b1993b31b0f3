import { Button, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { readInput } from '#core/base/inputs.ts';
import { isRefusal } from '#core/base/refusals.ts';
import { evidenceRefusal, recordEvidenceInput } from '#core/people/qualifications.ts';
import { config } from '#web/api/config.ts';
import { useMutation } from '#web/api/mutation.ts';
import { Dialog, DialogActions } from '#web/ui/dialog.tsx';
import { showToast } from '#web/ui/toasts.tsx';
import {
  type Evidence,
  type EvidenceContent,
  type QualifiedPerson,
  type Requirement,
  recordEvidence,
  setEvidenceWithdrawn,
  undo,
  updateEvidence,
} from './qualification-queries.ts';
import { requirementWords } from './qualification-words.ts';
import classes from './qualifications-page.module.css';

type Props = {
  readonly requirement: Requirement;
  readonly evidence: Evidence | null;
  readonly person: QualifiedPerson;
  readonly onClose: () => void;
};

const contentOf = ({ note, day, goodUntil }: Evidence): EvidenceContent => ({
  note,
  day,
  ...(goodUntil === null ? {} : { goodUntil }),
});

const todayHere = () => Temporal.Now.plainDateISO(config().companyTimeZone);

type Fault = { readonly field?: string | undefined; readonly message: string };

/** Saves, offers to take it back, and tells the form what the server does not take. */
function useSaveEvidence({ requirement, evidence, person, onClose }: Props, setFault: (fault: Fault) => void) {
  return useMutation({
    mutationFn: (content: EvidenceContent) =>
      evidence
        ? updateEvidence(evidence.id, evidence.version, content)
        : recordEvidence(requirement.id, person.id, content),
    onSuccess: ({ id, version }) => {
      const onUndo = undo(() =>
        evidence ? updateEvidence(id, version, contentOf(evidence)) : setEvidenceWithdrawn(id, true),
      );
      showToast({ message: evidence ? 'Evidence changed' : 'Evidence recorded', onUndo });
      onClose();
    },
    onError: ({ field, message }) => setFault({ field, message }),
    meta: { quiet: true },
  });
}

type DayProps = {
  readonly label: string;
  readonly description: string;
  readonly value: string;
  readonly onChange: (day: string) => void;
  readonly error: string | false;
};

function DayField({ onChange, ...props }: DayProps) {
  return <TextInput size="sm" type="date" {...props} onChange={(event) => onChange(event.currentTarget.value)} />;
}

export function EvidenceDialog(props: Props) {
  const { requirement, evidence, person, onClose } = props;
  const [note, setNote] = useState(evidence?.note ?? '');
  const [day, setDay] = useState(evidence?.day ?? todayHere().toString());
  const [goodUntil, setGoodUntil] = useState(evidence?.goodUntil ?? '');
  const [fault, setFault] = useState<Fault | null>(null);
  const save = useSaveEvidence(props, setFault);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const typed = { note, day, ...(goodUntil === '' ? {} : { goodUntil }) };
    const input = readInput(recordEvidenceInput, { requirementId: requirement.id, personId: person.id, ...typed });
    const refusal = isRefusal(input) ? input : evidenceRefusal(input, todayHere());
    if (refusal) return setFault(refusal);
    return save.mutate(typed);
  };
  const errorAt = (field: string, words: string) => fault?.field === field && words;
  return (
    <Dialog opened title={evidence ? 'Edit the evidence' : `Evidence of ${person.displayName}`} onClose={onClose}>
      <form onSubmit={submit} className={classes.form} noValidate>
        <p className={classes.quiet}>
          {requirement.title}: {requirementWords(requirement)}
        </p>
        <DayField
          label="Day"
          description="When the person read, took or earned it"
          value={day}
          onChange={setDay}
          error={errorAt('day', 'Choose a day up to today')}
        />
        <DayField
          label="Good until"
          description="Left empty, the term of the requirement counts"
          value={goodUntil}
          onChange={setGoodUntil}
          error={errorAt('goodUntil', 'Choose a day that does not lie before the first one')}
        />
        <Textarea
          size="sm"
          label="Note"
          placeholder="Who held the course, where the certificate is kept"
          autosize
          minRows={2}
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
          error={errorAt('note', 'The note is too long')}
          data-autofocus
        />
        {fault && !['day', 'goodUntil', 'note'].includes(fault.field ?? '') && <p role="alert">{fault.message}</p>}
        <DialogActions>
          <Button size="sm" variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button size="sm" type="submit" loading={save.isPending}>
            {evidence ? 'Save' : 'Record evidence'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
