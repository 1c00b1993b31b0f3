// The settings as the page reads and changes them.
import { queryOptions } from '@tanstack/react-query';
import { type SettingKey, settings } from '#core/admin/settings.ts';
import { holidaysQuery } from '#web/access/shared/holidays-query.ts';
import { useChange } from '#web/api/change.ts';
import { graphql, type ResultOf } from '#web/api/graphql.ts';
import { request } from '#web/api/request.ts';

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
export type StoredSetting = ResultOf<typeof settingsDocument>['settings'][number];

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

export function useSettingChange() {
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
