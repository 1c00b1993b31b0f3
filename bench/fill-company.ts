// A company of 2,000 people and 200 approvers around the demo company, the same one on every machine.
import 'temporal-polyfill/global';
import pg from 'pg';
import { seedDemo } from '../src/server/demo/seed.ts';
import { openDatabase } from '../src/server/platform/db/database.ts';

export const companySize = { people: 2_000, approvers: 200 } as const;
export const companyPassword = 'top-5-demo';

const log = { info() {}, warn: console.warn, error: console.error };

/**
 * Each approver has ten people; roles, teams, guidelines, evidence and tasks of the week are spread over all
 * of them.
 */
const statements = [
  `insert into people (email, first_name, last_name, role, grants, team, created_at)
   select 'person-' || n || '@company.test',
     (array['Anna','Boris','Chloé','Dragan','Elif','Femke','Goran','Hana','Ivo','Jana'])[1 + n % 10],
     (array['Bak','Hor','Kov','Lind','Mar','Nov','Pet','Ros','Sten','Vol'])[1 + n / 10 % 10] ||
       (array['ačić','berg','enko','escu','ić','mann','ova','sen','ström','vat'])[1 + n / 100 % 10],
     case when n <= ${companySize.approvers} then 'Approver'
       else (select name from (select name, row_number() over (order by name) - 1 as place, count(*) over () as many from roles) r
         where place = n % many) end,
     case when n % 8 > 0 then array['VIEW_TOP_5'] else array[]::text[] end, 'Team ' || n % 40, now() - make_interval(hours => n)
   from generate_series(1, ${companySize.people} - (select count(*)::int from people)) n`,
  `insert into approvers (person_id, approver_id)
   select p.id, a.id from (select id, row_number() over (order by id) - 1 as place from people where email like '%@company.test') p
   join (select id, row_number() over (order by id) - 1 as place from people where email like '%@company.test') a
     on a.place = p.place / 10 and a.place < ${companySize.approvers} and a.id <> p.id on conflict do nothing`,
  `insert into guideline_confirmations (version, person_id, confirmed_at)
   select (select max(version) from guideline_versions), id, now() from people where id % 2 = 0 on conflict do nothing`,
  `insert into role_evidence (requirement_id, person_id, day, good_until, recorded_by)
   select q.id, p.id, current_date - (p.id % 400)::int, current_date + (p.id % 200)::int, (select min(id) from people)
   from people p join roles r on r.name = p.role join role_requirements q on q.role_id = r.id
   where p.email like '%@company.test' and p.id % 3 > 0`,
  `insert into tasks (owner_id, sprint_id, title, category, status, created_by)
   select p.id, s.id, 'Task ' || n || ' of ' || p.first_name, 'Other', (array['INAPPROVAL','INPROGRESS','INREVIEW','DONE','DENIED'])[n]::task_status, p.id
   from people p cross join generate_series(1, 5) n
   join sprints s on s.start_at <= now() and s.end_at > now()
   where p.email like '%@company.test'`,
];

/** The demo company alone, as `DEMO=1` makes it. */
export async function fillDemo(url: string): Promise<void> {
  const database = openDatabase({ url, log });
  await seedDemo(database, { now: Temporal.Now.instant(), zone: 'UTC', password: companyPassword, log }).finally(() =>
    database.close(),
  );
}

export async function fillCompany(url: string): Promise<void> {
  await fillDemo(url);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
    await client.query('vacuum analyze');
  } finally {
    await client.end();
  }
}
