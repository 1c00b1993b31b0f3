CREATE VIEW "public"."effective_approvers" AS (
  select person_id, approver_id, false as by_default from approvers
  union all
  select p.id, d.id, true
    from people p, people d
    where d.id = (
      select case when s.value #>> '{}' ~ '^[1-9][0-9]{0,17}$' then (s.value #>> '{}')::bigint end
      from settings s
      where s.key in ('defaultApprover', 'defaultApproverOfEnvironment') and s.value is not null
      order by s.key limit 1)
    and d.id <> p.id and not exists (select 1 from approvers a where a.person_id = p.id));