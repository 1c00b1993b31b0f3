import { Button } from '@mantine/core';
import { readValue, type SettingKind, sayValue, wantedBy } from '#core/admin/setting-kinds.ts';
import { defaultSettings, isSettingValue, type SettingKey, settings } from '#core/admin/settings.ts';
import { formatInstant } from '#core/base/day-words.ts';
import { config } from '#web/api/config.ts';
import { Form, useForm } from '#web/ui/form.tsx';
import { SettingField } from './setting-field.tsx';
import classes from './settings.module.css';
import { type StoredSetting, useSettingChange } from './settings-calls.ts';

type Props = { readonly name: SettingKey; readonly stored: StoredSetting };

export function SettingRow({ name, stored }: Props) {
  const change = useSettingChange();
  const form = useForm({
    initial: { text: stored.value },
    mutation: change,
    variables: ({ text }) => ({ stored, value: text.trim() }),
  });
  const { text } = form.values;
  const setting: SettingKind & { readonly title: string; readonly meaning: string } = settings[name];
  const isValue = isSettingValue(name, readValue(setting, text.trim(), {}));
  const isChanged = text.trim() !== stored.value;
  return (
    <li className={classes.setting}>
      <div className={classes.words}>
        <h3>{setting.title}</h3>
        <p>{setting.meaning}.</p>
        <p className={classes.quiet}>
          Default: {sayValue(setting, defaultSettings[name], null)}. {historyOf(stored)}
        </p>
      </div>
      <Form form={form} label={setting.title} className={classes.form} disabled={!isValue || !isChanged}>
        <SettingField
          setting={setting}
          text={text}
          person={stored.person}
          fault={isValue ? undefined : `Must be ${wantedBy(setting)}`}
          onChange={(next) => form.set({ text: next })}
        />
        {(isChanged || !stored.isDefault) && (
          <div className={classes.actions}>
            {isChanged && (
              <Button type="submit" disabled={!isValue} loading={change.isPending}>
                Save
              </Button>
            )}
            {!stored.isDefault && (
              <Button
                variant="default"
                onClick={() => change.mutate({ stored, value: null }, { onError: form.refuse })}
              >
                Reset to default
              </Button>
            )}
          </div>
        )}
      </Form>
    </li>
  );
}

function historyOf({ changedAt, changedBy, isDefault }: StoredSetting): string {
  if (changedAt === null) return 'Never changed.';
  const when = formatInstant(changedAt, config().companyTimeZone);
  return `${isDefault ? 'Reset' : 'Changed'} by ${changedBy ?? 'a command'}, ${when}.`;
}
