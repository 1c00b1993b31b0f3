// The guidelines in the API.
import { callAccess } from '#core/access/call-access.ts';
import { builder } from '#server/platform/graphql/builder.ts';
import {
  confirmGuidelines,
  type GuidelineReader,
  type GuidelineReaders,
  type Guidelines,
  type GuidelineVersion,
  guidelineReaders,
  guidelines,
  guidelineVersion,
  guidelineVersions,
  publishGuidelines,
} from './guidelines.service.ts';

const GuidelineVersionType = builder.objectRef<GuidelineVersion>('GuidelineVersion');
const GuidelinesType = builder.objectRef<Guidelines>('Guidelines');
const GuidelineReaderType = builder.objectRef<GuidelineReader>('GuidelineReader');
const GuidelineReadersType = builder.objectRef<GuidelineReaders>('GuidelineReaders');

function defineTypes(): void {
  GuidelineVersionType.implement({
    fields: (t) => ({
      version: t.exposeInt('version'),
      note: t.exposeString('note', { description: 'What changed' }),
      publishedAt: t.exposeString('publishedAt'),
      publishedBy: t.exposeString('publishedBy'),
    }),
  });
  GuidelinesType.implement({
    fields: (t) => ({
      version: t.exposeInt('version'),
      text: t.exposeString('text', { description: 'Markdown' }),
      note: t.exposeString('note', { description: 'What changed' }),
      publishedAt: t.exposeString('publishedAt'),
      publishedBy: t.exposeString('publishedBy'),
      confirmedAt: t.exposeString('confirmedAt', { nullable: true, description: 'When the caller confirmed it' }),
      lastConfirmed: t.exposeInt('lastConfirmed', {
        nullable: true,
        description: 'The newest version that the caller confirmed',
      }),
    }),
  });
  GuidelineReaderType.implement({
    fields: (t) => ({
      id: t.exposeID('id'),
      displayName: t.exposeString('displayName'),
      team: t.exposeString('team', { nullable: true }),
      confirmedAt: t.exposeString('confirmedAt', { nullable: true }),
      lastConfirmed: t.exposeInt('lastConfirmed', { nullable: true }),
    }),
  });
  GuidelineReadersType.implement({
    fields: (t) => ({
      readers: t.exposeInt('readers', { description: 'Everyone who reads the guidelines' }),
      confirmed: t.exposeInt('confirmed', { description: 'Readers who confirmed the current version' }),
      matching: t.exposeInt('matching', { description: 'Readers that the search finds' }),
      people: t.field({ type: [GuidelineReaderType], resolve: ({ people }) => people }),
      next: t.exposeID('next', {
        nullable: true,
        description: 'Pass it as `after` for the next page. Null at the end.',
      }),
    }),
  });
}

export function defineGuidelines(): void {
  defineTypes();
  builder.queryFields((t) => ({
    guidelines: t.field({
      description: 'The current version',
      type: GuidelinesType,
      nullable: true,
      access: callAccess.guidelines,
      resolve: (_root, _args, context) => guidelines(context),
    }),
    guidelineVersion: t.field({
      type: GuidelinesType,
      access: callAccess.guidelines,
      args: { version: t.arg.int({ required: true }) },
      resolve: (_root, args, context) => guidelineVersion(context, args),
    }),
    guidelineVersions: t.field({
      description: 'Newest first',
      type: [GuidelineVersionType],
      access: callAccess.guidelines,
      resolve: (_root, _args, context) => guidelineVersions(context),
    }),
    guidelineReaders: t.field({
      type: GuidelineReadersType,
      access: 'admin',
      turn: 'heavy',
      args: { confirmed: t.arg.boolean(), search: t.arg.string(), after: t.arg.id(), limit: t.arg.int() },
      resolve: (_root, args, context) => guidelineReaders(context, args),
    }),
  }));
  builder.mutationFields((t) => ({
    publishGuidelines: t.field({
      type: GuidelinesType,
      access: 'admin',
      args: {
        text: t.arg.string({ required: true }),
        note: t.arg.string({ required: true }),
        basedOn: t.arg.int({ required: true }),
      },
      resolve: (_root, args, context) => publishGuidelines(context, args),
    }),
    confirmGuidelines: t.field({
      type: GuidelinesType,
      access: callAccess.guidelines,
      args: { version: t.arg.int({ required: true }) },
      resolve: (_root, args, context) => confirmGuidelines(context, args),
    }),
  }));
}
