import { Button } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { readValue, type SettingKind, sayValue, wantedBy } from '#core/admin/setting-kinds.ts';
import { defaultSettings, isSetting, isSettingValue, type SettingKey, settings } from '#core/admin/settings.ts';
import { formatInstant } from '#core/base/day-words.ts';
import { holidayLimits } from '#core/base/holidays.ts';
import { holidaysQuery } from '#web/access/shared/holidays-query.ts';
import { useChange } from '#web/api/change.ts';
import { config } from '#web/api/config.ts';
import { useDraft } from '#web/api/drafts.ts';
import { graphql, type ResultOf } from '#web/api/graphql.ts';
import { request } from '#web/api/request.ts';
import { useViewer } from '#web/api/viewer.ts';
import { Form, useForm } from '#web/ui/form.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import { Loading, SkeletonRows } from '#web/ui/skeleton.tsx';
import { SettingField } from './setting-field.tsx';
import classes from './settings.module.css';

// The settings as the page reads and changes them.

const settingsDocument = graphql(`
  query Settings {
    settings {
      key
      value
      isDefault
      version
      changedAt
      changedBy
      person
    }
  }
`);
type StoredSetting = ResultOf<typeof settingsDocument>['settings'][number];

export const settingsQuery = queryOptions({
  queryKey: ['settings'],
  queryFn: async ({ signal }) => (await request(settingsDocument, {}, { signal })).settings,
});

const changeDocument = graphql(`
  mutation ChangeSetting($key: String!, $value: String, $version: Int) {
    changeSetting(key: $key, value: $value, version: $version) {
      key
      version
    }
  }
`);

/** Null restores the default. */
type Change = { readonly stored: StoredSetting; readonly value: string | null };

function useSettingChange() {
  return useChange({
    send: ({ stored, value }: Change) => request(changeDocument, { key: stored.key, value, version: stored.version }),
    // The sprint's end can follow the holidays.
    touches: [settingsQuery.queryKey, holidaysQuery.queryKey, ['sprints']],
    meta: { quiet: true },
    done: ({ changeSetting: { version } }, { stored, value }) => {
      const { title } = settings[stored.key as SettingKey];
      const before = stored.isDefault ? null : stored.value;
      return {
        message: value === null ? `${title} reset to its default` : `${title} changed`,
        undo: () => request(changeDocument, { key: stored.key, value: before, version }),
      };
    },
  });
}

type Props = { readonly name: SettingKey; readonly stored: StoredSetting };
type Described = { readonly title: string; readonly meaning: string; readonly unset?: string };

/** What is typed, and the saved version that it changes. */
type Edit = { readonly version: number; readonly before: string; readonly text: string };

/** What is typed survives leaving the page. */
function useSettingForm({ name, stored }: Props, change: ReturnType<typeof useSettingChange>) {
  const viewer = useViewer();
  const { title } = settings[name];
  const draft = useDraft<Edit | null>(`setting:${name}`, null);
  const [begun] = useState(draft.value);
  const form = useForm({
    initial: { text: begun?.text ?? stored.value },
    mutation: change,
    variables: ({ text }, version) => ({ stored: { ...stored, version }, value: text.trim() }),
    saved: {
      version: stored.version,
      values: { text: stored.value },
      words: ({ text }) => ({ [title]: wordsOf(name, text.trim(), stored) }),
      by: stored.changedBy === viewer.name ? 'You' : stored.changedBy,
      base: begun ? { version: begun.version, values: { text: begun.before } } : undefined,
      onKept: draft.discard,
    },
    onSent: () => Object.keys(form.typedSince()).length === 0 && draft.discard(),
    keep: (typed) => {
      if (typed.text === stored.value) return draft.discard();
      const since = form.conflict && draft.value ? draft.value : { version: stored.version, before: stored.value };
      draft.change({ ...since, text: typed.text });
    },
  });
  // Saved after all, although its answer was lost.
  const isSaved = draft.value?.text === stored.value;
  useEffect(() => {
    if (isSaved) draft.discard();
  });
  return form;
}

function SettingRow({ name, stored }: Props) {
  const change = useSettingChange();
  const setting: SettingKind & Described = settings[name];
  const form = useSettingForm({ name, stored }, change);
  const { text } = form.values;
  const isValue = isSettingValue(name, readValue(setting, text.trim(), {}));
  const isChanged = text.trim() !== stored.value;
  return (
    <li className={classes.setting}>
      <div className={classes.words}>
        <h3>{setting.title}</h3>
        <p>{setting.meaning}.</p>
        <p className={classes.quiet}>
          Default: {setting.unset ?? sayValue(setting, defaultSettings[name], null)}. {historyOf(stored)}
        </p>
      </div>
      <Form form={form} label={setting.title} className={classes.form} disabled={!isValue || !isChanged}>
        <SettingField
          setting={setting}
          text={text}
          saved={stored.value}
          person={text === stored.value ? stored.person : null}
          empty={(stored.isDefault && setting.unset) || 'Nobody'}
          fault={isValue ? undefined : faultOf(setting)}
          onChange={(next) => form.set({ text: next })}
        />
        {!form.conflict && (isChanged || !stored.isDefault) && (
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

/** What differs shows in these words: of lists, all lines. */
function wordsOf(name: SettingKey, text: string, stored: StoredSetting): string {
  const setting: SettingKind = settings[name];
  const value = readValue(setting, text, {});
  if (setting.kind === 'holidays' || !isSettingValue(name, value)) return text;
  return sayValue(setting, value, text === stored.value ? stored.person : null);
}

const faultOf = (setting: SettingKind): string =>
  setting.kind === 'holidays'
    ? `The list can have up to ${holidayLimits.holidays} holidays. Remove some`
    : `Must be ${wantedBy(setting)}`;

function historyOf({ changedAt, changedBy, isDefault }: StoredSetting): string {
  if (changedAt === null) return 'Never changed.';
  const when = formatInstant(changedAt, config().companyTimeZone);
  return `${isDefault ? 'Reset' : 'Changed'} by ${changedBy ?? 'a command'}, ${when}.`;
}

/** Everything admins can change at run time; the core's settings appear automatically. */
export default function SettingsPart() {
  const { data = [], error, isPending, refetch } = useQuery(settingsQuery);
  return (
    <Panel
      title="Settings"
      note="Saved changes take effect immediately, on every server. Pages that are open may need a reload"
      flush
    >
      {error && data.length === 0 ? (
        <PanelError sentence="Couldn’t load the settings." requestId={error.requestId} onRetry={() => void refetch()} />
      ) : (
        <Loading loading={isPending} skeleton={<SkeletonRows rows={6} />}>
          <ul className={classes.settings}>
            {data.map(
              (stored) => isSetting(stored.key) && <SettingRow key={stored.key} name={stored.key} stored={stored} />,
            )}
          </ul>
        </Loading>
      )}
    </Panel>
  );
}
