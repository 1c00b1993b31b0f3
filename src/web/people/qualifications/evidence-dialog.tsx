import { Textarea, TextInput } from '@mantine/core';
import { evidenceRefusal, recordEvidenceInput } from '#core/people/qualifications.ts';
import { requirementWords } from '#web/access/shared/qualification-words.ts';
import { useChange } from '#web/api/change.ts';
import { config } from '#web/api/config.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { Form, useForm } from '#web/ui/form.tsx';
import {
  type Evidence,
  type EvidenceContent,
  type QualifiedPerson,
  qualificationKeys,
  type Requirement,
  recordEvidence,
  setEvidenceWithdrawn,
  updateEvidence,
} from './qualification-queries.ts';
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

type Sent = { readonly content: EvidenceContent; readonly version: number };

function useSaveEvidence({ requirement, evidence, person, onClose }: Props) {
  return useChange({
    send: ({ content, version }: Sent) =>
      evidence ? updateEvidence(evidence.id, version, content) : recordEvidence(requirement.id, person.id, content),
    touches: qualificationKeys,
    onDone: onClose,
    done: ({ id, version }) =>
      evidence
        ? { message: 'Evidence changed', undo: () => updateEvidence(id, version, contentOf(evidence)) }
        : { message: 'Evidence recorded', undo: () => setEvidenceWithdrawn(id, true) },
    meta: { quiet: true },
  });
}

const valuesOf = (evidence: Evidence | null) => ({
  note: evidence?.note ?? '',
  day: evidence?.day ?? todayHere().toString(),
  goodUntil: evidence?.goodUntil ?? '',
});

const wordsOf = ({ note, day, goodUntil }: ReturnType<typeof valuesOf>) => ({
  Day: day,
  'Valid until': goodUntil,
  Note: note,
});

export function EvidenceDialog(props: Props) {
  const { requirement, evidence, person, onClose } = props;
  const form = useForm({
    initial: valuesOf(evidence),
    input: ({ note, day, goodUntil }) => ({
      requirementId: requirement.id,
      personId: person.id,
      note,
      day,
      ...(goodUntil === '' ? {} : { goodUntil }),
    }),
    schema: recordEvidenceInput,
    rule: (input) => evidenceRefusal(input, todayHere()),
    errors: {
      day: 'Choose today or an earlier date',
      goodUntil: 'Choose the date it was completed, or a later one',
      note: 'The note is too long',
    },
    mutation: useSaveEvidence(props),
    variables: ({ requirementId: _requirement, personId: _person, ...content }, version) => ({ content, version }),
    saved: evidence
      ? { version: evidence.version, values: valuesOf(evidence), words: wordsOf, onKept: onClose }
      : undefined,
  });
  return (
    <Dialog opened title={evidence ? 'Edit evidence' : `Evidence for ${person.displayName}`} onClose={onClose}>
      <Form form={form} submit={evidence ? 'Save' : 'Record evidence'}>
        <p className={classes.quiet}>
          {requirement.title}: {requirementWords(requirement)}
        </p>
        <TextInput type="date" label="Date" description="When the person completed it" {...form.field('day')} />
        <TextInput
          type="date"
          label="Valid until"
          description="Leave empty to follow the requirement"
          {...form.field('goodUntil')}
        />
        <Textarea
          label="Note"
          placeholder="Trainer, where the certificate is"
          autosize
          minRows={2}
          data-autofocus
          {...form.field('note')}
        />
      </Form>
    </Dialog>
  );
}
