import { Select, Switch, TextInput } from '@mantine/core';
import { readValue, type SettingKind, writeValue } from '#core/admin/setting-kinds.ts';
import { countWords } from '#core/base/formats.ts';
import { usePersonSelect } from '#web/people/shared/people-to-choose.ts';
import { SearchSelect } from '#web/ui/search-select.tsx';
import { HolidaysField } from './holidays-field.tsx';
import classes from './settings.module.css';

type Props = {
  readonly setting: SettingKind & { readonly title: string };
  /** The value in the form that `readValue` parses. */
  readonly text: string;
  readonly saved: string;
  /** The name of the stored person. */
  readonly person: string | null;
  /** What applies without a person. */
  readonly empty: string;
  readonly fault: string | undefined;
  readonly onChange: (text: string) => void;
};

/** A setting's input by its kind. */
export function SettingField(props: Props) {
  const { setting, text, fault, onChange } = props;
  switch (setting.kind) {
    case 'number':
      return (
        <TextInput
          aria-label={setting.title}
          inputMode="numeric"
          rightSection={<span className={classes.unit}>{setting.unit}</span>}
          rightSectionWidth={64}
          description={`${setting.least} to ${countWords(setting.most)}`}
          value={text}
          onChange={(event) => onChange(event.currentTarget.value)}
          error={fault}
        />
      );
    case 'switch':
      return (
        <Switch
          label={text === 'on' ? 'On' : 'Off'}
          aria-label={setting.title}
          checked={text === 'on'}
          onChange={(event) => onChange(writeValue(setting, event.currentTarget.checked))}
          error={fault}
        />
      );
    case 'choice':
      return (
        <Select
          aria-label={setting.title}
          data={optionsOf(setting.options)}
          value={text}
          allowDeselect={false}
          onChange={(value) => value && onChange(value)}
          error={fault}
        />
      );
    case 'person':
      return <PersonField {...props} />;
    case 'choices':
      return <Choices {...props} setting={setting} />;
    case 'holidays':
      return <HolidaysField {...props} />;
  }
}

const optionsOf = (titles: Readonly<Record<string, string>>) =>
  Object.entries(titles).map(([value, label]) => ({ value, label }));

function PersonField({ setting, text, person: name, empty, fault, onChange }: Props) {
  const value = readValue(setting, text, null) as string | null;
  const person = usePersonSelect(value, value && name ? { [value]: name } : {});
  return (
    <SearchSelect
      aria-label={setting.title}
      placeholder={empty}
      {...person}
      clearable
      value={value}
      onChange={(id) => onChange(writeValue(setting, id))}
      error={fault}
    />
  );
}

type ChoicesProps = Props & { readonly setting: SettingKind & { readonly kind: 'choices' } };

function Choices({ setting, text, fault, onChange }: ChoicesProps) {
  const chosen = readValue(setting, text, {}) as Readonly<Record<string, string>>;
  return (
    <div className={classes.choices}>
      {Object.entries(setting.items).map(([item, label]) => (
        <Select
          key={item}
          label={label}
          data={optionsOf(setting.options)}
          value={chosen[item] ?? null}
          allowDeselect={false}
          onChange={(option) => option && onChange(writeValue(setting, { ...chosen, [item]: option }))}
        />
      ))}
      {fault && <p role="alert">{fault}</p>}
    </div>
  );
}
