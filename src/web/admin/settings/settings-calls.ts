// The settings as the page reads and changes them.
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { type SettingKey, settings } from '#core/admin/settings.ts';
import { graphql, type ResultOf } from '#web/api/graphql.ts';
import { useMutation } from '#web/api/mutation.ts';
import { request } from '#web/api/request.ts';
import { showToast } from '#web/ui/toasts.tsx';

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

/** Null: back to the default. */
type Change = { readonly stored: StoredSetting; readonly value: string | null };

export function useSettingChange() {
  const client = useQueryClient();
  const again = () => client.invalidateQueries({ queryKey: settingsQuery.queryKey });
  const takeBack = useMutation({
    mutationFn: ({ stored, version }: { stored: StoredSetting; version: number }) =>
      request(changeDocument, { key: stored.key, value: stored.isDefault ? null : stored.value, version }),
    onSettled: again,
  });
  return useMutation({
    mutationFn: ({ stored, value }: Change) =>
      request(changeDocument, { key: stored.key, value, version: stored.version }),
    meta: { quiet: true },
    onSuccess: async ({ changeSetting: { version } }, { stored, value }) => {
      await again();
      const { title } = settings[stored.key as SettingKey];
      showToast({
        message: value === null ? `${title} is back at its default` : `${title} changed`,
        onUndo: () => takeBack.mutate({ stored, version }),
      });
    },
    onError: () => void again(),
  });
}
