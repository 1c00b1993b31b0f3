CREATE INDEX "conversations_open" ON "conversations" USING gist ((case
    when coalesce(conversations."resolved_at", conversations."closed_at") < conversations."opened_at"
      or coalesce(conversations."resolved_at", conversations."closed_at") is null and lower(conversations."status") in ('resolved', 'closed', 'solved', 'done', 'completed', 'canceled', 'cancelled') then null
    else tstzrange(conversations."opened_at", coalesce(conversations."resolved_at", conversations."closed_at"), '(]') end));