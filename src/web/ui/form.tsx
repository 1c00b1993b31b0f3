// The one form: values, the core's schema and rules, refusals at their fields, and sending.
import { useForm as useKitForm } from '@mantine/form';
import { type ReactNode, type SyntheticEvent, useContext, useEffect, useRef, useState } from 'react';
import { type InputSchema, inputRefusals } from '#core/base/inputs.ts';
import { AroundForm, DialogActions } from './dialog.tsx';
import classes from './form.module.css';
import { useReadOnly, Writes } from './writes.tsx';

/** What isn't right, and the field it is about. */
export type Fault = { readonly field?: string | undefined; readonly message: string };

/** A mutation, as `useMutation` gives it. Its `meta` is quiet: the form shows what goes wrong. */
type Mutation<Variables, Answer> = {
  readonly isPending: boolean;
  readonly mutateAsync: (variables: Variables) => Promise<Answer>;
};

type Options<Values extends object, Input extends object, Variables, Answer> = {
  readonly initial: Values;
  /** What is sent and checked, where the fields hold something else. */
  readonly input?: (values: Values) => Input;
  readonly schema?: InputSchema;
  /** A rule of the core beyond the schema. */
  readonly rule?: (input: Input) => Fault | null;
  /** How an error begins that continues the name of its field. */
  readonly names?: Readonly<Record<string, string>>;
  /** In place of such an error, where one sentence says all that can be wrong. */
  readonly errors?: Readonly<Record<string, string>>;
  readonly mutation: Mutation<Variables, Answer>;
  /** What the mutation takes, where it isn't the input alone. */
  readonly variables?: (input: Input) => Variables;
  readonly onSent?: (answer: Answer) => void;
  /** Keeps what is typed as a draft, so closing loses nothing. */
  readonly keep?: (values: Values) => void;
};

type NameOf<Values> = keyof Values & string;

/** Errors of the form as a whole stand under this name. */
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
  const refuse = (fault: Fault) => {
    form.setErrors(errorsOf([fault], form.getValues(), options));
    refused();
  };
  // A second press can come before the page is drawn again, and the answer after the dialog was closed.
  const isUnderWay = useRef(false);
  const send = form.onSubmit((values) => {
    if (mutation.isPending || isUnderWay.current) return;
    isUnderWay.current = true;
    const input = inputOf(values);
    const variables = options.variables ? options.variables(input) : (input as unknown as Variables);
    mutation
      .mutateAsync(variables)
      .then((answer) => onSent?.(answer), refuse)
      .finally(() => {
        isUnderWay.current = false;
      });
  }, refused);
  const field = (name: NameOf<Values> | `${NameOf<Values>}.${string}`) => ({ size: 'sm', ...form.getInputProps(name) });
  return {
    values: form.values,
    set: (part: Partial<Values>) => form.setValues(part),
    /** Starts again with these values. */
    reset: (values: Values) => {
      form.setInitialValues(values);
      form.setValues(values);
    },
    /** Shows what isn't right, as a refusal of the server's is shown. */
    refuse,
    field,
    /** For a select that can be left empty: a null would mean to leave the field out (core/base/inputs.ts). */
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

/** The first field at fault has the focus each time that something was refused. */
function useFocusOnFault() {
  const node = useRef<HTMLFormElement>(null);
  const [times, setTimes] = useState(0);
  useEffect(() => {
    if (times > 0) node.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [times]);
  return { node, refused: () => setTimes((before) => before + 1) };
}

/** For the parts that a long form is cut into. */
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

/** Each under its field, the first one where there are several, and under the form what is about none of its fields. */
function errorsOf(faults: readonly Fault[], values: object, { names, errors: own }: Words): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const { field = whole, message } of faults) {
    const [first = whole] = field.split('.');
    // The core's refusals continue the name of the field; those that are sentences already stay.
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
  /** The primary button, a verb with its object. Without it the fields bring a button of their own. */
  readonly submit?: string;
  readonly disabled?: boolean;
  readonly cancel?: string;
  /** Instead of closing the dialog around it. */
  readonly onCancel?: () => void;
  /** Further buttons, before the others. */
  readonly actions?: ReactNode;
  readonly label?: string;
  readonly className?: string | undefined;
  readonly children: ReactNode;
};

/** Enter sends, in a field of several lines Ctrl or Cmd with Enter. */
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
    // From a dialog that a form opens, the event would go on to that form.
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
