// What refers to a person, and what an erasure does with it. A test compares this with the tables: a new
// reference without a line here fails it.

/**
 * `kept`: the company's record. It refers to the erased account, which stays distinct per person, so
 * approvals remain distinguishable. `deleted`: only about the person. `fleeting`: the same but short-lived,
 * so exports leave it out.
 */
export type Fate = 'kept' | 'deleted' | 'fleeting';

export const references: Readonly<Record<string, Fate>> = {
  'absences.delegate_id': 'kept',
  'absences.person_id': 'deleted',
  'account_events.actor_id': 'kept',
  'account_events.person_id': 'deleted',
  'account_links.person_id': 'fleeting',
  'account_links.shown_to': 'fleeting',
  'approvers.approver_id': 'deleted',
  'approvers.person_id': 'deleted',
  'audit_log.actor_id': 'kept',
  'authenticators.person_id': 'deleted',
  'bonus_messages.author_id': 'kept',
  'bonus_plans.created_by': 'kept',
  'bonus_statements.person_id': 'kept',
  'calendar_feeds.person_id': 'deleted',
  'challenges.person_id': 'fleeting',
  'earlier_teams.person_id': 'kept',
  'export_tickets.person_id': 'fleeting',
  'guideline_confirmations.person_id': 'kept',
  'guideline_versions.published_by': 'kept',
  'idempotency_keys.person_id': 'fleeting',
  'identities.person_id': 'deleted',
  'import_mappings.saved_by': 'kept',
  'import_runs.person_id': 'kept',
  'import_runs.undo_by': 'kept',
  'known_devices.person_id': 'deleted',
  'meeting_attendees.person_id': 'deleted',
  'meetings.chair_id': 'kept',
  'meetings.created_by': 'kept',
  'notice_choices.person_id': 'deleted',
  'notice_mails.person_id': 'deleted',
  'notices.person_id': 'deleted',
  'number_goals.set_by': 'kept',
  'passkeys.person_id': 'deleted',
  'pinned_numbers.person_id': 'deleted',
  'quiet_hours.person_id': 'deleted',
  'recovery_codes.person_id': 'deleted',
  'role_evidence.person_id': 'deleted',
  'role_evidence.recorded_by': 'kept',
  'service_tokens.created_by': 'kept',
  'sessions.person_id': 'deleted',
  'settings.changed_by': 'kept',
  'sign_in_flows.connects': 'fleeting',
  'sign_in_flows.person_id': 'fleeting',
  'sprint_results.person_id': 'kept',
  'task_attachments.author_id': 'kept',
  'task_attachments.removed_by': 'kept',
  'task_history.actor_id': 'kept',
  'task_history.for_id': 'kept',
  'task_notes.author_id': 'kept',
  'task_notes.removed_by': 'kept',
  'task_orders.person_id': 'deleted',
  'tasks.created_by': 'kept',
  'tasks.owner_id': 'kept',
  'time_entries.person_id': 'deleted',
  'time_weeks.person_id': 'deleted',
  'tool_cards.owner_id': 'kept',
  'viewings.looker_id': 'deleted',
  'viewings.person_id': 'deleted',
  'week_recaps.person_id': 'deleted',
};

/** The name stored next to the reference when the row was written: id and name column by table. */
export const writtenNames: readonly (readonly [table: string, id: string, name: string])[] = [
  ['bonus_messages', 'author_id', 'author_name'],
  ['task_attachments', 'author_id', 'author_name'],
  ['task_history', 'actor_id', 'actor_name'],
  ['task_notes', 'author_id', 'author_name'],
];
