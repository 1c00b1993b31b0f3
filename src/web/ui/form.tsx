// The form: values, the core's schema and rules, refusals at their fields, and sending.
import { useForm as useKitForm } from '@mantine/form';
import { type ReactNode, type RefObject, type SyntheticEvent, useContext, useEffect, useRef, useState } from 'react';
import { type InputSchema, inputRefusals } from '#core/base/inputs.ts';
import { useConnectionLost } from './connection.ts';
import { AroundForm, DialogActions } from './dialog.tsx';
import classes from './form.module.css';
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
  /** The mutation's variables, if they aren't just the input. */
  readonly variables?: (input: Input) => Variables;
  readonly onSent?: (answer: Answer) => void;
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
  const { node, refused } = useFocusOnFault();
  const unreached = useUnreached((said) => form.errors[whole] === said && form.setFieldError(whole, connectionIsBack));
  const refuse = (fault: Fault) => {
    unreached.current = fault.code === 'NETWORK' ? fault.message : null;
    form.setErrors(errorsOf([fault], form.getValues(), options));
    refused();
  };
  // A second press can come before the next render, and the answer after the dialog was closed.
  const isUnderWay = useRef(false);
  const send = form.onSubmit((values) => {
    if (mutation.isPending || isUnderWay.current) return;
    isUnderWay.current = true;
    const input = inputOf(values);
    mutation
      .mutateAsync(options.variables ? options.variables(input) : (input as unknown as Variables))
      .then((answer) => onSent?.(answer), refuse)
      .finally(() => {
        isUnderWay.current = false;
      });
  }, refused);
  const field = (name: NameOf<Values> | `${NameOf<Values>}.${string}`) => ({ size: 'sm', ...form.getInputProps(name) });
  return {
    values: form.values,
    set: (part: Partial<Values>) => form.setValues(part),
    /** Restarts with these values. */
    reset: (values: Values) => {
      form.setInitialValues(values);
      form.setValues(values);
    },
    /** Shows an error like one from the server. */
    refuse,
    field,
    /** For an optional select: null would mean that the field is missing (core/base/inputs.ts). */
    choice: (name: NameOf<Values>) => {
      const { value, onChange, ...rest } = field(name);
      return { ...rest, value: value || null, onChange: (chosen: string | null) => onChange(chosen ?? '') };
    },
    checkbox: (name: NameOf<Values>) => form.getInputProps(name, { type: 'checkbox' }),
    error: (name: NameOf<Values>): ReactNode => form.errors[name],
    failure: form.errors[whole],
    busy: mutation.isPending,
    isTyped: form.isDirty(),
    isUnsaved: () => keep === undefined && form.isDirty(),
    send,
    node,
  };
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

/** Focuses the first invalid field after each refusal. */
function useFocusOnFault() {
  const node = useRef<HTMLFormElement>(null);
  const [times, setTimes] = useState(0);
  useEffect(() => {
    if (times > 0) node.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [times]);
  return { node, refused: () => setTimes((before) => before + 1) };
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
      : (own?.[first] ?? `${names?.[first] ?? `The ${first}`}${message.slice(field.length)}`);
    errors[Object.hasOwn(values, first) ? first : whole] ??= said;
  }
  return errors;
}

type FormProps = {
  readonly form: Pick<FormOf<object>, 'send' | 'node' | 'failure' | 'busy' | 'isUnsaved'>;
  /** The primary button, a verb with its object. Without it the fields include their own button. */
  readonly submit?: string;
  readonly disabled?: boolean;
  readonly cancel?: string;
  /** Replaces closing the dialog. */
  readonly onCancel?: () => void;
  /** More buttons, before the others. */
  readonly actions?: ReactNode;
  readonly label?: string;
  readonly className?: string | undefined;
  readonly children: ReactNode;
};

/** Enter submits; in a text area Ctrl+Enter or Cmd+Enter. */
export function Form(props: FormProps) {
  const { form, submit, disabled = false, cancel = 'Cancel', actions, label, children } = props;
  const { send, node, failure, busy } = form;
  const dialog = useContext(AroundForm);
  const readOnly = useReadOnly();
  useEffect(() => {
    if (!dialog) return undefined;
    dialog.isUnsaved.current = form.isUnsaved;
    return () => {
      dialog.isUnsaved.current = () => false;
    };
  });
  const onSubmit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    // From a dialog inside a form, the event would reach the outer form.
    event.stopPropagation();
    if (!disabled) send();
  };
  return (
    <form
      ref={node}
      noValidate
      aria-label={label}
      className={props.className ?? classes.form}
      onSubmit={onSubmit}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        node.current?.requestSubmit();
      }}
    >
      <Writes>{children}</Writes>
      {failure && (
        <p className={classes.failure} role="alert">
          {failure}
        </p>
      )}
      {submit !== undefined && (
        <DialogActions
          primary={submit}
          busy={busy}
          disabled={disabled || readOnly !== null}
          cancel={cancel}
          onCancel={props.onCancel}
        >
          {actions}
        </DialogActions>
      )}
    </form>
  );
}
