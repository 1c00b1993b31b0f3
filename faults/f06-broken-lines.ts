// The lines between the server and what it stands on: slow, dead, deaf, torn. Nobody waits for ever, and what
// does not need the line goes on.
import { setTimeout as sleep } from 'node:timers/promises';
import type { LineState } from '../test/line.ts';
import { processorWaitMs } from './beside.ts';
import { type Answered, graphql, upload } from './calls.ts';
import { account, type Company, type End, ends, withCompany } from './company-of-lines.ts';
import type { Asked, Fault, Outcome } from './fault.ts';

/** Promised: every caller has an answer within this. */
const longestAnswerMs = 15_000;
/** What a connection that died needs to be found out after its line is mended. */
const longestMendingMs = 20_000;
const broken: readonly LineState[] = ['silent', 'half', 'torn', 'slow'];

type Answer = { readonly status: number; readonly milliseconds: number };

/** Without the wait for a processor, which depends on the machine and not on the product. */
async function timed(pid: number, asked: () => Promise<number>): Promise<Answer> {
  const waited = (): number[] => [pid, process.pid].map(processorWaitMs);
  const [started, waitedBefore] = [performance.now(), waited()];
  const status = await asked().catch(() => 0);
  const wait = Math.max(...waited().map((now, index) => now - waitedBefore[index]!));
  return { status, milliseconds: performance.now() - started - wait };
}

const statusOf = (answered: Answered): number => (answered.kind === 'unanswered' ? 0 : answered.status);

async function postJson(url: string, body: object): Promise<number> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  await response.arrayBuffer();
  return response.status;
}

type Act = { readonly needs: readonly End[]; readonly do: (company: Company) => Promise<number> };

const createTask = 'mutation ($id: ID!) { createTask(title: "On a broken line", userId: $id) { id } }';
const embed = '{ dashboardEmbed(resource: "connect") { state } }';

/** What people do, and which line each of it needs. */
const acts: Readonly<Record<string, Act>> = {
  'opening a page': { needs: [], do: async ({ url }) => (await fetch(`${url}/config.json`)).status },
  'signing in by password': { needs: ['database'], do: ({ url }) => postJson(`${url}/api/auth/login`, account) },
  'reading tasks': {
    needs: ['database'],
    do: async ({ url, owner }) => statusOf(await graphql(url, owner, '{ getTasks { id title } }', {})),
  },
  'making a task': {
    needs: ['database'],
    do: async ({ url, owner }) => statusOf(await graphql(url, owner, createTask, { id: owner.id })),
  },
  'attaching a file': {
    needs: ['database', 'bucket'],
    do: async ({ url, owner, taskId }) =>
      statusOf(await upload(url, owner, { taskId, name: 'a.txt', content: Buffer.from('text') })),
  },
  'opening a file': {
    needs: ['database', 'bucket'],
    do: async ({ url, link }) => {
      const response = await fetch(`${url}${link}`);
      await response.arrayBuffer();
      return response.status;
    },
  },
  'signing in at the provider': {
    needs: ['database', 'provider'],
    do: ({ url }) => postJson(`${url}/api/auth/sso/start`, {}),
  },
  'opening a dashboard of Metabase': {
    needs: ['database'],
    do: async ({ url, adminToken }) => statusOf(await graphql(url, { token: adminToken }, embed, {})),
  },
};

/**
 * What did not hold, in words. An act may fail where its line is broken, but says so in time, and as an
 * outage.
 */
function judge(name: string, end: End, state: LineState, { status, milliseconds }: Answer): string | null {
  const what = `${name} with a ${state} line to the ${end}`;
  if (milliseconds > longestAnswerMs) return `${what} took ${Math.round(milliseconds / 1_000)} s`;
  const needsIt = acts[name]?.needs.includes(end) ?? false;
  if (status === 200 || status === 201) return null;
  if (needsIt && status === 503) return null;
  return `${what} was answered ${status === 0 ? 'nothing' : status}`;
}

async function tryEveryAct(company: Company): Promise<[name: string, Answer][]> {
  return Promise.all(
    Object.entries(acts).map(
      async ([name, act]): Promise<[string, Answer]> => [name, await timed(company.pid, () => act.do(company))],
    ),
  );
}

/** The milliseconds until everything works again, or null where it does not. */
async function untilMended(company: Company): Promise<number | null> {
  const started = performance.now();
  while (performance.now() - started < longestMendingMs) {
    const answers = await tryEveryAct(company);
    if (answers.every(([, { status }]) => status === 200 || status === 201)) return performance.now() - started;
    await sleep(200);
  }
  return null;
}

async function breakLines(company: Company, { count, say }: Asked): Promise<Outcome> {
  const longest = new Map<string, number>(Object.keys(acts).map((name) => [name, 0]));
  const failures: string[] = [];
  let mending = 0;
  for (let round = 0; round < count; round++) {
    for (const end of ends) {
      for (const state of broken) {
        company.lines[end].become(state);
        for (const [name, answer] of await tryEveryAct(company)) {
          longest.set(name, Math.max(longest.get(name) ?? 0, Math.round(answer.milliseconds)));
          const failure = judge(name, end, state, answer);
          if (failure !== null) failures.push(failure);
        }
        company.lines[end].become('good');
        const mended = await untilMended(company);
        if (mended === null) failures.push(`a ${state} line to the ${end} was mended, and not everything worked again`);
        mending = Math.max(mending, Math.round(mended ?? 0));
      }
      say(`the line to the ${end}: ${failures.length} faults`);
    }
  }
  return {
    figures: {
      ...Object.fromEntries([...longest].map(([name, value]) => [`${name}: longest milliseconds`, value])),
      'longest milliseconds until all worked again': mending,
    },
    failures,
  };
}

export const brokenLines: Fault = {
  id: 'F6',
  title: 'Slow, silent, deaf and torn lines to the database, the bucket, the identity provider and Metabase',
  unit: 'rounds of 16 broken lines',
  trials: false,
  counts: { short: 1, full: 5 },
  run: (asked) => withCompany((company) => breakLines(company, asked)),
};
