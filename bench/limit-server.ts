// The limit: what this machine can do at all. Fastify and pg, one prepared statement an operation that
// returns the finished JSON text; no GraphQL, nobody signed in, no permission. It writes the same rows as the
// product does, and answers the same JSON.
import Fastify from 'fastify';
import pg from 'pg';

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10, options: '-c TimeZone=UTC' });
const app = Fastify({ logger: false });

type Statement = { readonly name: string; readonly text: string };

/** The JSON of an operation, as the one column of its one row. */
async function textOf(statement: Statement, values: readonly unknown[]): Promise<string> {
  const { rows } = await pool.query<{ text: string }>({ ...statement, values: [...values] });
  return rows[0]!.text;
}

const answer = (field: string, list: string): string =>
  `'{"data":{"${field}":' || coalesce(${list}, '[]') || '}}' as text`;

const notes = `(select coalesce(json_agg(n), '[]') from (select id::text, text, author_name as "userName", at as "timeStamp",
  edited_at is not null as edited from task_notes where task_id = t.id and removed_at is null order by task_notes.id) n) as notes`;
const taskColumns = `t.id::text, t.title, t.status, t.summary, t.change, t.category, t.created_at as created, t.version, ${notes}`;

const limitStatements = {
  tasks: `select ${answer('tasks', 'json_agg(x)::text')} from (select ${taskColumns} from tasks t
    where t.owner_id = $1 and t.sprint_id = $2 and t.withdrawn_at is null order by t.created_at desc, t.id desc) x`,

  inbox: `select ${answer('inbox', 'json_agg(x)::text')} from (select ${taskColumns},
      (select o from (select p.first_name || ' ' || p.last_name as "displayName") o) as owner
    from tasks t join people p on p.id = t.owner_id
    where t.status in ('INAPPROVAL', 'INREVIEW') and t.withdrawn_at is null
      and t.owner_id in (select person_id from approvers where approver_id = $1)
    order by t.status_at, t.id limit 100) x`,

  completion: `select '{"data":{"sprintStats":{"employees":' || coalesce(json_agg(x)::text, '[]') || '}}}' as text from (
    select (select o from (select p.id::text, p.first_name || ' ' || p.last_name as "displayName") o) as person,
      (select o from (select c."INAPPROVAL", c."DENIED", c."TODO", c."INPROGRESS", c."INREVIEW", c."DONE") o) as counts,
      round((c."INREVIEW" + c."DONE") * 100.0 / nullif(c."TODO" + c."INPROGRESS" + c."INREVIEW" + c."DONE", 0), 1)::float8 as "completionPercentage"
    from people p join (
      select owner_id, count(*) filter (where status = 'INAPPROVAL') as "INAPPROVAL", count(*) filter (where status = 'DENIED') as "DENIED",
        count(*) filter (where status = 'TODO') as "TODO", count(*) filter (where status = 'INPROGRESS') as "INPROGRESS",
        count(*) filter (where status = 'INREVIEW') as "INREVIEW", count(*) filter (where status = 'DONE') as "DONE"
      from tasks where sprint_id = $1 and withdrawn_at is null group by owner_id) c on c.owner_id = p.id
    order by lower(p.last_name), lower(p.first_name), p.id) x`,

  sales: `select '{"data":{"numbers":{"rows":' || coalesce(json_agg(x)::text, '[]') || '}}}' as text from (
    select array[day::text] as keys, array[
      trim_scale(coalesce(sum(gross - coalesce(discount, 0) - coalesce(refunded, 0)) filter (where counts), 0) / 10000.0)::text,
      (count(*) filter (where counts))::text] as values
    from (select *, status in ('completed', 'refunded', 'adjustment') as counts from orders
      where product = $1 and currency = $2 and day >= $3 and day < $4) o
    group by day order by day) x`,

  // Task, history, audit (whose trigger queues it to be sealed), notice of a decision, and what tells the
  // other servers.
  move: `with changed as (
      update tasks set status = $2::task_status, version = version + 1, status_at = now() where id = $1
      returning id, owner_id, sprint_id, title, status, version),
    told as (
      insert into task_history (task_id, sprint_id, at, actor_id, actor_name, event, from_status, to_status, before, after, version)
      select id, sprint_id, now(), $4, $5, $6::task_event, $3::task_status, status, jsonb_build_object('status', $3::text), jsonb_build_object('status', status), version from changed),
    audited as (
      insert into audit_log (at, actor_id, action, subject_type, subject_id, before, after, request_id, address)
      select now(), $4, $7, 'task', id::text, jsonb_build_object('status', $3::text), jsonb_build_object('status', status), $8, '127.0.0.1' from changed),
    noticed as (
      insert into notices (person_id, kind, key, task_id, facts, at, in_app)
      select owner_id, 'decided', 'task:' || id || ':' || version, id,
        jsonb_build_object('kind', 'decided', 'event', $6::text, 'taskId', id::text, 'title', title, 'by', $5::text, 'change', null), now(), true
      from changed where $6 in ('approved', 'denied', 'signedOff', 'sentBack')),
    heard as (
      select pg_notify('staff_dashboard', json_build_object('topic', 'taskChanged', 'message', json_build_object('taskId', id::text,
        'sprintId', sprint_id::text, 'userId', owner_id::text, 'version', version, 'actorId', $4::text, 'event', $6::text,
        'approverIds', array(select approver_id::text from approvers where person_id = owner_id)))::text) from changed)
    select '{"data":{"updateTask":' || row_to_json(x) || '}}' as text from (select id::text, status, version from changed, heard) x`,
} as const;

const json = 'application/json; charset=utf-8';
const serve = (name: keyof typeof limitStatements, fields: readonly string[]): void => {
  const statement = { name, text: limitStatements[name] };
  app.post(`/${name}`, async (request, reply) => {
    const body = request.body as Record<string, unknown>;
    return reply.type(json).send(
      await textOf(
        statement,
        fields.map((field) => body[field]),
      ),
    );
  });
};

serve('tasks', ['userId', 'sprintId']);
serve('inbox', ['approverId']);
serve('completion', ['sprintId']);
serve('sales', ['scope', 'currency', 'from', 'to']);
serve('move', ['taskId', 'to', 'from', 'actorId', 'actorName', 'event', 'action', 'requestId']);
app.get('/readyz', async () => ({ ready: (await pool.query('select 1')).rowCount === 1 }));

await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
process.once('SIGTERM', () => void app.close().then(() => pool.end()));
