import { Textarea, TextInput } from '@mantine/core';
import { evidenceRefusal, recordEvidenceInput } from '#core/people/qualifications.ts';
import { config } from '#web/api/config.ts';
import { useMutation } from '#web/api/mutation.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { Form, useForm } from '#web/ui/form.tsx';
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

/** Saves, and offers to take it back. */
function useSaveEvidence({ requirement, evidence, person, onClose }: Props) {
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
    meta: { quiet: true },
  });
}

export function EvidenceDialog(props: Props) {
  const { requirement, evidence, person, onClose } = props;
  const form = useForm({
    initial: {
      note: evidence?.note ?? '',
      day: evidence?.day ?? todayHere().toString(),
      goodUntil: evidence?.goodUntil ?? '',
    },
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
      day: 'Choose today or an earlier day',
      goodUntil: 'Choose a day after the first one',
      note: 'The note is too long',
    },
    mutation: useSaveEvidence(props),
    variables: ({ requirementId: _requirement, personId: _person, ...content }) => content,
  });
  return (
    <Dialog opened title={evidence ? 'Edit evidence' : `Evidence of ${person.displayName}`} onClose={onClose}>
      <Form form={form} submit={evidence ? 'Save' : 'Record evidence'}>
        <p className={classes.quiet}>
          {requirement.title}: {requirementWords(requirement)}
        </p>
        <TextInput type="date" label="Day" description="When the person completed it" {...form.field('day')} />
        <TextInput
          type="date"
          label="Good until"
          description="Leave empty to use the requirement’s term"
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
