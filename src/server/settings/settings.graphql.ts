// The settings in the API. What they mean and take stands in the core, which the web asks too.
import { builder } from '../graphql/builder.ts';
import { changeSettingByText, listSettings, type ShownSetting } from './settings.service.ts';

const SettingType = builder.objectRef<ShownSetting>('Setting');

export function defineSettings(): void {
  SettingType.implement({
    fields: (t) => ({
      key: t.exposeString('key'),
      value: t.exposeString('value', {
        description: 'As text: a number, on or off, a choice, the id of a person or nobody, or a=b,c=d.',
      }),
      isDefault: t.exposeBoolean('isDefault'),
      version: t.exposeInt('version'),
      changedAt: t.exposeString('changedAt', { nullable: true }),
      changedBy: t.exposeString('changedBy', { nullable: true, description: 'Null where a command changed it.' }),
      person: t.exposeString('person', { nullable: true, description: 'The name of the person that the value is.' }),
    }),
  });
  builder.queryField('settings', (t) =>
    t.field({
      type: [SettingType],
      access: 'admin',
      resolve: (_root, _args, context) => listSettings(context),
    }),
  );
  builder.mutationField('changeSetting', (t) =>
    t.field({
      description: 'Changes a setting, or brings it back to its default where `value` is left out.',
      type: SettingType,
      access: 'admin',
      args: { key: t.arg.string({ required: true }), value: t.arg.string(), version: t.arg.int() },
      resolve: (_root, args, context) => changeSettingByText(context, args),
    }),
  );
}
