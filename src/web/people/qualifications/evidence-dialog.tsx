import { Textarea, TextInput } from '@mantine/core';
import { plural } from '#core/base/formats.ts';
import {
  evidenceRefusal,
  qualificationLimits,
  recordEvidenceForPeopleInput,
  recordEvidenceInput,
} from '#core/people/qualifications.ts';
import { requirementWords } from '#web/access/shared/qualification-words.ts';
import { useChange } from '#web/api/change.ts';
import { config } from '#web/api/config.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { Form, type FormOf, useForm } from '#web/ui/form.tsx';
import { SearchMultiSelect } from '#web/ui/search-select.tsx';
import { sendHint } from '#web/ui/shortcuts.ts';
import { usePeopleToChoose } from '../shared/people-to-choose.ts';
import {
  type Evidence,
  type EvidenceContent,
  type QualifiedPerson,
  qualificationKeys,
  type Requirement,
  recordEvidence,
  recordEvidenceForPeople,
  setEvidenceWithdrawn,
  updateEvidence,
  withdrawEvidenceOfPeople,
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

type Values = ReturnType<typeof valuesOf>;

const sentContent = ({ note, day, goodUntil }: Values): EvidenceContent => ({
  note,
  day,
  ...(goodUntil === '' ? {} : { goodUntil }),
});

const errors = {
  day: 'Choose today or an earlier date',
  goodUntil: 'Choose the date it was completed, or a later one',
  note: 'The note is too long',
};

const rule = (content: EvidenceContent) => evidenceRefusal(content, todayHere());

export function EvidenceDialog(props: Props) {
  const { requirement, evidence, person, onClose } = props;
  const form = useForm({
    initial: valuesOf(evidence),
    input: (values) => ({ requirementId: requirement.id, personId: person.id, ...sentContent(values) }),
    schema: recordEvidenceInput,
    rule,
    errors,
    mutation: useSaveEvidence(props),
    variables: ({ requirementId: _requirement, personId: _person, ...content }, version) => ({ content, version }),
    saved: evidence
      ? { version: evidence.version, values: valuesOf(evidence), words: wordsOf, onKept: onClose }
      : undefined,
  });
  return (
    <Dialog opened title={evidence ? 'Edit evidence' : `Evidence for ${person.displayName}`} onClose={onClose}>
      <Form form={form} submit={evidence ? 'Save' : 'Record evidence'}>
        <EvidenceFields form={form} requirement={requirement} focused />
      </Form>
    </Dialog>
  );
}

type FieldsProps = {
  readonly form: Pick<FormOf<Values>, 'field'>;
  readonly requirement: Requirement;
  /** Starts at the note: the date is mostly right. */
  readonly focused?: boolean;
};

function EvidenceFields({ form, requirement, focused = false }: FieldsProps) {
  return (
    <>
      <p className={classes.quiet}>
        {requirement.title}: {requirementWords(requirement)}
      </p>
      <TextInput type="date" label="Date" description="When it was completed" {...form.field('day')} />
      <TextInput
        type="date"
        label="Valid until"
        description="Leave empty to follow the requirement"
        {...form.field('goodUntil')}
      />
      <Textarea
        label="Note"
        description={sendHint('records it')}
        placeholder="Trainer, where the certificate is"
        autosize
        minRows={2}
        {...(focused && { 'data-autofocus': true })}
        {...form.field('note')}
      />
    </>
  );
}

type SeveralProps = { readonly requirement: Requirement; readonly onClose: () => void };

function useRecordForPeople({ requirement, onClose }: SeveralProps) {
  return useChange({
    send: ({ personIds, ...content }: EvidenceContent & { readonly personIds: readonly string[] }) =>
      recordEvidenceForPeople(requirement.id, personIds, content),
    touches: qualificationKeys,
    onDone: onClose,
    done: (ids) => ({
      message: `Evidence recorded for ${plural(ids.length, 'person', 'people')}`,
      undo: () => withdrawEvidenceOfPeople(ids),
    }),
    meta: { quiet: true },
  });
}

/** The same evidence for several people, such as everyone who attended a course. */
export function EvidenceForPeopleDialog(props: SeveralProps) {
  const { requirement, onClose } = props;
  const form = useForm({
    initial: { personIds: [] as string[], ...valuesOf(null) },
    input: ({ personIds, ...values }) => ({ requirementId: requirement.id, personIds, ...sentContent(values) }),
    schema: recordEvidenceForPeopleInput,
    rule,
    errors: { ...errors, personIds: `Choose 1 to ${qualificationLimits.people} people` },
    mutation: useRecordForPeople(props),
    variables: ({ requirementId: _requirement, ...sent }) => sent,
  });
  const { personIds } = form.values;
  const { people, labelOf, unseen, search } = usePeopleToChoose(personIds);
  return (
    <Dialog opened title="Record evidence for several people" onClose={onClose}>
      <Form form={form} submit={personIds.length > 1 ? `Record for ${personIds.length} people` : 'Record evidence'}>
        <SearchMultiSelect
          label="People"
          placeholder={personIds.length === 0 ? 'Find people by name' : ''}
          data={[...unseen, ...people.map((person) => ({ value: person.id, label: labelOf(person) }))]}
          {...search}
          hidePickedOptions
          clearable
          maxValues={qualificationLimits.people}
          data-autofocus
          {...form.field('personIds')}
        />
        <EvidenceFields form={form} requirement={requirement} />
      </Form>
    </Dialog>
  );
}
