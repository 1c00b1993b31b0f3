import { Button } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { readValue, type SettingKind, sayValue, wantedBy } from '#core/admin/setting-kinds.ts';
import { defaultSettings, isSettingValue, type SettingKey, settings } from '#core/admin/settings.ts';
import { formatInstant } from '#core/base/day-words.ts';
import { config } from '#web/api/config.ts';
import { Writes } from '#web/ui/writes.tsx';
import { SettingField } from './setting-field.tsx';
import classes from './settings.module.css';
import { type StoredSetting, useSettingChange } from './settings-calls.ts';

type Props = { readonly name: SettingKey; readonly stored: StoredSetting };

export function SettingRow({ name, stored }: Props) {
  const [text, setText] = useState(stored.value);
  const change = useSettingChange();
  const setting: SettingKind & { readonly title: string; readonly meaning: string } = settings[name];
  const isValue = isSettingValue(name, readValue(setting, text.trim(), {}));
  const fault = isValue ? change.error?.message : `Must be ${wantedBy(setting)}`;
  const isChanged = text.trim() !== stored.value;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isValue && isChanged) change.mutate({ stored, value: text.trim() });
  };
  return (
    <li className={classes.setting}>
      <div className={classes.words}>
        <h3>{setting.title}</h3>
        <p>{setting.meaning}.</p>
        <p className={classes.quiet}>
          Default: {sayValue(setting, defaultSettings[name], null)}. {historyOf(stored)}
        </p>
      </div>
      <Writes>
        <form className={classes.form} onSubmit={submit} aria-label={setting.title}>
          <SettingField setting={setting} text={text} person={stored.person} fault={fault} onChange={setText} />
          {(isChanged || !stored.isDefault) && (
            <div className={classes.actions}>
              {isChanged && (
                <Button type="submit" disabled={!isValue} loading={change.isPending}>
                  Save
                </Button>
              )}
              {!stored.isDefault && (
                <Button variant="default" onClick={() => change.mutate({ stored, value: null })}>
                  Back to the default
                </Button>
              )}
            </div>
          )}
        </form>
      </Writes>
    </li>
  );
}

function historyOf({ changedAt, changedBy, isDefault }: StoredSetting): string {
  if (changedAt === null) return 'Never changed.';
  const when = formatInstant(changedAt, config().companyTimeZone);
  return `${isDefault ? 'Brought back to it' : 'Changed'} by ${changedBy ?? 'a command'}, ${when}.`;
}
