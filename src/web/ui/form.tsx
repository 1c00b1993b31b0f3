// The form: values, the core's schema and rules, refusals at their fields, and sending.
import { type UseFormReturnType, useForm as useKitForm } from '@mantine/form';
import {
  createContext,
  type ReactNode,
  type RefObject,
  type SyntheticEvent,
  useContext,
  useEffect,
  useRef,
  useState,
} from 'react';
import { flushSync } from 'react-dom';
import { type InputSchema, inputRefusals } from '#core/base/inputs.ts';
import { refusals } from '#core/base/refusals.ts';
import { Conflict, type Saved, typedSince, useSaved } from './conflict.tsx';
import { useConnectionLost } from './connection.ts';
import { FormActions, useHold, useLoss } from './dialog.tsx';
import classes from './form.module.css';
import { isGone } from './shortcuts.ts';
import { continueText, textField, typeInNext } from './typed-ahead.ts';
import { useReadOnly, Writes } from './writes.tsx';

/** An error and its field. */
export type Fault = {
  readonly field?: string | undefined;
  readonly message: string;
  readonly code?: string | undefined;
};

/** A mutation from `useMutation`. Its `meta` is quiet, because the form shows errors. */
type Mutation<Variables, Answer> = {
  readonly isPending: boolean;
  readonly mutateAsync: (variables: Variables) => Promise<Answer>;
};

type Options<Values extends object, Input extends object, Variables, Answer> = {
  readonly initial: Values;
  /** Converts the fields to the input that is checked and sent. */
  readonly input?: (values: Values) => Input;
  readonly schema?: InputSchema;
  /** A rule of the core beyond the schema. */
  readonly rule?: (input: Input) => Fault | null;
  /** A field's name at the start of its errors. */
  readonly names?: Readonly<Record<string, string>>;
  /** A fixed text that replaces a field's errors. */
  readonly errors?: Readonly<Record<string, string>>;
  readonly mutation: Mutation<Variables, Answer>;
  /** The mutation's variables, if they aren't just the input. `version`: the one of `saved` that it changes. */
  readonly variables?: (input: Input, version: number) => Variables;
  /** For a form of something that others can change while it is open. */
  readonly saved?: Saved<Values> | undefined;
  readonly onSent?: (answer: Answer) => void;
  /** Another step follows in the same dialog: what is typed after sending is for that one's field. */
  readonly isFollowed?: boolean;
  /** Saves the input as a draft, so closing loses nothing. */
  readonly keep?: (values: Values) => void;
};

type NameOf<Values> = keyof Values & string;

/** Errors of the whole form have this name. */
const whole = '';

export function useForm<Values extends object, Answer, Input extends object = Values, Variables = Input>(
  options: Options<Values, Input, Variables, Answer>,
) {
  const { initial, mutation, keep, onSent } = options;
  const inputOf = (values: Values) => options.input?.(values) ?? (values as unknown as Input);
  const form = useKitForm<Values>({
    initialValues: initial,
    validate: (values) => errorsOf(faultsOf(options, inputOf(values)), values, options),
    onValuesChange: (values) => {
      form.clearFieldError(whole);
      keep?.(values);
    },
  });
  const { sent, version, conflict } = useSaved(options.saved, form);
  const { node, refused } = useFocusOnFault();
  const unreached = useUnreached((said) => form.errors[whole] === said && form.setFieldError(whole, connectionIsBack));
  const refuse = (fault: Fault) => {
    sent.current = null;
    unreached.current = fault.code === 'NETWORK' ? fault.message : null;
    form.setErrors(errorsOf([fault], form.getValues(), options));
    refused();
  };
  // A second press can come before the next render, and the answer after the dialog was closed.
  const isUnderWay = useRef(false);
  const submit = form.onSubmit((values) => {
    if (mutation.isPending || isUnderWay.current) return;
    isUnderWay.current = true;
    sent.current = values;
    const input = inputOf(values);
    mutation
      .mutateAsync(options.variables ? options.variables(input, version) : (input as unknown as Variables))
      .then((answer) => {
        const rest = typedInFocusedField(node.current, values, form.getValues());
        // Drawn at once: a key before that would bring back what was sent, and it may close the form.
        flushSync(() => onSent?.(answer));
        if (rest && isGone(rest.field)) keepRest(rest, options.isFollowed ?? false);
      }, refuse)
      .finally(() => {
        isUnderWay.current = false;
      });
  }, refused);
  return {
    values: form.values,
    set: (part: Partial<Values>) => form.setValues(part),
    ...afterSending(sent, form),
    /** Shows an error like one from the server. */
    refuse,
    ...inputsOf(form),
    error: (name: NameOf<Values>): ReactNode => form.errors[name],
    failure: form.errors[whole],
    /** What someone else saved, and the choice. */
    conflict,
    busy: mutation.isPending,
    isTyped: form.isDirty(),
    isUnsaved: () => keep === undefined && form.isDirty(),
    ...useSendChecks(submit),
    node,
  };
}

/** What was typed after the sent text. Null if the field was changed in another way. */
const restAfterSent = (before: unknown, now: unknown): string | null =>
  typeof before === 'string' && typeof now === 'string' && now.startsWith(before) ? now.slice(before.length) : null;

/** What stays in a field after sending, followed by what was typed since. */
function appendTyped(left: unknown, before: unknown, now: unknown): unknown {
  const rest = restAfterSent(before, now);
  if (rest === null) return now;
  return left === '' ? rest.trimStart() : `${left}${rest}`;
}

/** What was typed in the focused text field since sending. Never a password: a message could show it. */
function typedInFocusedField<Values extends object>(node: HTMLElement | null, sent: Values, now: Values) {
  const field = document.activeElement;
  const isText = node?.contains(field) && field?.matches(`${textField}:not([autocomplete*="password"])`);
  const name = isText && (field as HTMLElement).dataset.path;
  if (!field || !name) return null;
  const [before, after] = [sent, now].map((values) => values[name as keyof Values]);
  const rest = restAfterSent(before, after);
  const text = rest ?? after;
  return typeof text === 'string' && text.trim() !== '' ? { field, text, isBehind: rest !== null } : null;
}

function keepRest(
  { text, isBehind }: { readonly text: string; readonly isBehind: boolean },
  isFollowed: boolean,
): void {
  if (isFollowed && isBehind && typeInNext(text.trimStart())) return;
  continueText(text, isBehind);
}

/** The fields stay editable while the form is being sent. What is typed then wasn't sent, so it stays. */
function afterSending<Values extends object>(
  sent: RefObject<Values | null>,
  form: Pick<UseFormReturnType<Values>, 'getValues' | 'setValues' | 'setInitialValues'>,
) {
  const since = (): Partial<Values> => (sent.current ? typedSince(sent.current, form.getValues()) : {});
  /** Replaces what was sent. Returns whether more was typed in these fields. */
  const replaceSent = (left: Partial<Values>): boolean => {
    const names = (Object.keys(since()) as NameOf<Values>[]).filter((name) => name in left);
    const typed = form.getValues();
    const kept = names.map((name) => [name, appendTyped(left[name], sent.current?.[name], typed[name])]);
    if (sent.current) sent.current = { ...sent.current, ...left };
    form.setValues({ ...left, ...Object.fromEntries(kept) });
    return kept.length > 0;
  };
  return {
    /** The fields that were changed since the form was sent. */
    typedSince: since,
    replaceSent: (left: Partial<Values>) => flushSync(() => replaceSent(left)),
    /** Starts again with these values. Returns whether more was typed in these fields. */
    restart: (values: Partial<Values>): boolean => {
      form.setInitialValues({ ...form.getValues(), ...values });
      return replaceSent(values);
    },
  };
}

/** The properties of the form's inputs. */
function inputsOf<Values extends object>(form: Pick<UseFormReturnType<Values>, 'getInputProps'>) {
  const field = (name: NameOf<Values> | `${NameOf<Values>}.${string}`) => ({ size: 'sm', ...form.getInputProps(name) });
  return {
    field,
    /** For an optional select: null would mean that the field is missing (core/base/inputs.ts). */
    choice: (name: NameOf<Values>) => {
      const { value, onChange, ...rest } = field(name);
      return { ...rest, value: value || null, onChange: (chosen: string | null) => onChange(chosen ?? '') };
    },
    checkbox: (name: NameOf<Values>) => form.getInputProps(name, { type: 'checkbox' }),
  };
}

/** Whether the form may be sent as far as one field is concerned, which says why not or changes its value. */
type SendCheck = () => boolean;
const SendChecks = createContext<RefObject<Set<SendCheck>> | null>(null);

function useSendChecks(submit: () => void) {
  const checks = useRef(new Set<SendCheck>());
  const latest = useRef(submit);
  latest.current = submit;
  const send = () => {
    const mayBeSent = flushSync(() => [...checks.current].every((check) => check()));
    if (mayBeSent) latest.current();
  };
  return { send, checks };
}

/** Asked before the surrounding form is sent. Returns whether there is one. */
export function useSendCheck(check: SendCheck): boolean {
  const checks = useContext(SendChecks);
  useEffect(() => {
    checks?.current.add(check);
    return () => void checks?.current.delete(check);
  });
  return checks !== null;
}

const connectionIsBack = 'The connection is back. Try again';

/** What the form said when a call didn't reach the server, and what to do when the connection is back. */
function useUnreached(onBack: (said: string) => void): RefObject<string | null> {
  const unreached = useRef<string | null>(null);
  const latest = useRef(onBack);
  latest.current = onBack;
  const lost = useConnectionLost();
  useEffect(() => {
    if (!lost && unreached.current) latest.current(unreached.current);
  }, [lost]);
  return unreached;
}

/** After each refusal, focuses the first invalid field, or shows what is said below the form. */
function useFocusOnFault() {
  const node = useRef<HTMLFormElement>(null);
  const [times, setTimes] = useState(0);
  useEffect(() => {
    if (times === 0) return;
    const field = node.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    if (field) field.focus();
    else node.current?.querySelector('[data-failure]')?.scrollIntoView({ block: 'nearest' });
  }, [times]);
  return { node, refused: () => setTimes((before) => before + 1) };
}

/** Browsers put the caret of a field that opens with a text before it. */
function useCaretAtEnd(node: RefObject<HTMLFormElement | null>): void {
  useEffect(() => {
    const form = node.current;
    const seen = new WeakSet<EventTarget>();
    const place = (field: EventTarget | null) => {
      if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) || seen.has(field)) return;
      seen.add(field);
      const { length } = field.value;
      // Fields of other kinds have no selection, and Tab selects all of a line.
      if (field.selectionStart === 0 && field.selectionEnd === 0) field.setSelectionRange(length, length);
    };
    // The browser selects, or puts the caret where a click was, only after the event.
    const onFocus = ({ target }: FocusEvent) =>
      setTimeout(() => {
        if (target === document.activeElement) place(target);
      });
    if (form?.contains(document.activeElement)) place(document.activeElement);
    form?.addEventListener('focusin', onFocus);
    return () => form?.removeEventListener('focusin', onFocus);
  }, [node]);
}

/** For a long form's parts. */
export type FormOf<Values extends object> = ReturnType<typeof useForm<Values, unknown>>;

function faultsOf<Input extends object>(
  { schema, rule }: Pick<Options<never, Input, never, never>, 'schema' | 'rule'>,
  input: Input,
): readonly Fault[] {
  const refusals = schema ? inputRefusals(schema, input) : [];
  const fault = refusals.length === 0 ? rule?.(input) : null;
  return fault ? [fault] : refusals;
}

type Words = Pick<Options<never, never, never, never>, 'names' | 'errors'>;

/** Each field shows its first error; errors without a field appear below the form. */
function errorsOf(faults: readonly Fault[], values: object, { names, errors: own }: Words): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const { field = whole, message } of faults) {
    const [first = whole] = field.split('.');
    // The core's messages continue the field's name, unless they are sentences.
    const isSentence = field === whole || !message.startsWith(`${field} `);
    const said = isSentence
      ? message
      : (own?.[first] ?? sentenceOf(names?.[first] ?? `The ${first}`, message.slice(field.length + 1)));
    errors[Object.hasOwn(values, first) ? first : whole] ??= said;
  }
  return errors;
}

/** "The floor is longer than 10 characters". A blank field says what to do: "Enter the name". */
const sentenceOf = (name: string, reason: string): string =>
  reason === 'must not be blank' ? `Enter ${name.replace(/^The /, 'the ')}` : `${name} ${reason}`;

const isConflict = (failure: ReactNode): boolean => failure === refusals.CONFLICT.message;

type FormProps = {
  readonly form: Pick<FormOf<object>, 'send' | 'checks' | 'node' | 'failure' | 'conflict' | 'busy' | 'isUnsaved'>;
  /** The primary button, a verb with its object. Without it the fields include their own button. */
  readonly submit?: string;
  readonly disabled?: boolean;
  readonly cancel?: string;
  /** Replaces closing the dialog. */
  readonly onCancel?: () => void;
  /** More buttons, before the others. */
  readonly actions?: ReactNode;
  /** False if most fields come after the first: Enter there would send something unfinished. */
  readonly sendsByEnter?: boolean;
  readonly label?: string;
  /** In a conflict, the button that sends what is typed. */
  readonly mine?: string;
  readonly className?: string | undefined;
  readonly children: ReactNode;
};

/** Closing the dialog around the form asks before it drops input, and waits while it is sent. */
function useClosing({ isUnsaved, busy }: Pick<FormProps['form'], 'isUnsaved' | 'busy'>): void {
  useLoss('typed', isUnsaved);
  useHold(busy);
}

/** Enter submits; in a text area Ctrl+Enter or Cmd+Enter. */
export function Form(props: FormProps) {
  const { form, submit, disabled = false, cancel = 'Cancel', actions, label, children, sendsByEnter = true } = props;
  const { send, node, failure, conflict, busy } = form;
  const readOnly = useReadOnly();
  useCaretAtEnd(node);
  useClosing(form);
  const onSubmit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    // From a dialog inside a form, the event would reach the outer form.
    event.stopPropagation();
    // Only the button says to replace what someone else saved.
    if (!disabled && !conflict) send();
  };
  return (
    <form
      ref={node}
      noValidate
      aria-label={label}
      className={props.className ?? classes.form}
      onSubmit={onSubmit}
      onKeyDownCapture={(event) => {
        // Before the field: a list there would choose its highlighted option.
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
        // Another form's dialog, opened from here.
        if (!node.current?.contains(event.target as Node)) return;
        event.preventDefault();
        event.stopPropagation();
        node.current.requestSubmit();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && !sendsByEnter && event.target instanceof HTMLInputElement) event.preventDefault();
      }}
    >
      <SendChecks value={form.checks}>
        <Writes>{children}</Writes>
      </SendChecks>
      {failure && !(conflict && isConflict(failure)) && (
        <p className={classes.failure} role="alert" data-failure data-over={failure === connectionIsBack || undefined}>
          {failure}
        </p>
      )}
      {conflict && (
        <Writes>
          <Conflict {...conflict} {...{ busy, disabled }} mine={props.mine} onMine={send} onTheirs={conflict.keep} />
        </Writes>
      )}
      {submit !== undefined && !conflict && (
        <FormActions
          primary={submit}
          busy={busy}
          disabled={disabled || readOnly !== null}
          cancel={cancel}
          onCancel={props.onCancel}
        >
          {actions}
        </FormActions>
      )}
    </form>
  );
}
