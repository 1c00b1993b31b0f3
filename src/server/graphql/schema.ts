// The whole schema: every area adds its part. Printed, it is `schema.graphql`.
import type { GraphQLSchema } from 'graphql';
import { defineEmbed } from '../embed/embed.graphql.ts';
import { defineGuidelines } from '../guidelines/guidelines.graphql.ts';
import { defineLive } from '../live/live.graphql.ts';
import { defineImports } from '../numbers/import/import.graphql.ts';
import { defineNumbers } from '../numbers/numbers.graphql.ts';
import { defineApprovers } from '../people/approvers.graphql.ts';
import { definePeople } from '../people/people.graphql.ts';
import { defineCalendarFeeds } from '../schedule/calendar-feeds.graphql.ts';
import { defineSchedule } from '../schedule/schedule.graphql.ts';
import { defineSettings } from '../settings/settings.graphql.ts';
import { defineSprints } from '../sprints/sprints.graphql.ts';
import { defineStats } from '../stats/stats.graphql.ts';
import { defineDecisions } from '../tasks/decisions.graphql.ts';
import { defineNotes, defineTaskFiles } from '../tasks/notes.graphql.ts';
import { defineTaskTypes } from '../tasks/task-types.graphql.ts';
import { defineTasks } from '../tasks/tasks.graphql.ts';
import { builder } from './builder.ts';

definePeople();
defineApprovers();
defineSprints();
defineTaskTypes();
defineTasks();
defineDecisions();
defineNotes();
defineTaskFiles();
defineStats();
defineNumbers();
defineImports();
defineLive();
defineEmbed();
defineSettings();
defineGuidelines();
defineSchedule();
defineCalendarFeeds();

export const schema: GraphQLSchema = builder.toSchema();
