// The settings in the API. Their meaning and types are in the core, which the web uses too.
import { ApproverManagementType } from '#server/people/approvers.graphql.ts';
import { builder } from '#server/platform/graphql/builder.ts';
import { changeSettingByText, listSettings, type ShownSetting, setDefaultApprover } from './settings.service.ts';

const SettingType = builder.objectRef<ShownSetting>('Setting');

export function defineSettings(): void {
  SettingType.implement({
    fields: (t) => ({
      key: t.exposeString('key'),
      value: t.exposeString('value', {
        description: 'As text: a number, on or off, a choice, the ID of a person or nobody, or a=b,c=d.',
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
  builder.mutationField('setDefaultApprover', (t) =>
    t.field({
      type: ApproverManagementType,
      access: 'admin',
      description: 'Approves for people without an approver. Without an ID, nobody does',
      args: { approverId: t.arg.id(), version: t.arg.int({ description: 'The version that the caller saw' }) },
      resolve: (_root, args, context) => setDefaultApprover(context, args),
    }),
  );
  builder.mutationField('changeSetting', (t) =>
    t.field({
      description: 'Changes a setting. Without `value`, resets it to its default.',
      type: SettingType,
      access: 'admin',
      args: { key: t.arg.string({ required: true }), value: t.arg.string(), version: t.arg.int() },
      resolve: (_root, args, context) => changeSettingByText(context, args),
    }),
  );
}
