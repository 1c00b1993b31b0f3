// `npm run bench -- [operations | dashboard | import | builds] [options]`; without a name the first three.
// Talks to this machine only, ends by itself, and writes its results to docs/results/.
import 'temporal-polyfill/global';
import { parseArgs } from 'node:util';
import { benchBuilds } from './builds.ts';
import { benchDashboard, benchImport } from './dashboard.ts';
import { benchOperations } from './operations.ts';
import { fullSize } from './workload.ts';

const usage = `npm run bench -- [operations | dashboard | import | builds] [options]
  operations  a day's work beside a bare server on the same database
    --people 2000  --orders 2000000  --seconds 10  --repeats 3  --only abced  --no-starts
  dashboard   a sales dashboard beside plain SQL over the rows
    --orders 2000000  --rounds 20
  import      an import of new orders beside COPY
    --orders 2000000  --import-rows 200000
  builds      the processor time of several builds of the server, asked in turn; see docs/decisions/009-what-a-request-costs.md
    --build 'build/server/main.js'  --build '--max-semi-space-size=4 other/build/server/main.js'
    --people 2000  --orders 2000000  --seconds 10  --repeats 3  --only abced  --connections 10`;

function numberOption(text: string, name: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Error(`--${name} is "${text}", it wants a whole number above 0`);
  return Number(text);
}

const text = (fallback: string) => ({ type: 'string', default: fallback }) as const;
const options = {
  people: text(String(fullSize.people)),
  orders: text('2000000'),
  seconds: text('10'),
  repeats: text('3'),
  only: text('abced'),
  'no-starts': { type: 'boolean', default: false },
  rounds: text('20'),
  'import-rows': text('200000'),
  build: { type: 'string', multiple: true, default: [] as string[] },
  connections: text('10'),
} as const;

const { values, positionals } = parseArgs({ options, allowPositionals: true });
const number = (name: 'people' | 'orders' | 'seconds' | 'repeats' | 'rounds' | 'import-rows' | 'connections'): number =>
  numberOption(values[name], name);
const orders = number('orders');
const benchmarks: Readonly<Record<string, () => Promise<void>>> = {
  operations: () =>
    benchOperations({
      size: { ...fullSize, people: number('people') },
      orders,
      seconds: number('seconds'),
      repeats: number('repeats'),
      only: values.only,
      starts: !values['no-starts'],
    }),
  dashboard: () => benchDashboard({ orders, rounds: number('rounds') }),
  import: () => benchImport({ orders, rows: number('import-rows') }),
  builds: () =>
    benchBuilds({
      builds: values.build,
      size: { ...fullSize, people: number('people') },
      orders,
      seconds: number('seconds'),
      repeats: number('repeats'),
      only: values.only,
      connections: number('connections'),
    }),
};

const names = positionals.length === 0 ? ['operations', 'dashboard', 'import'] : positionals;
const wanted = names.map((name) => benchmarks[name]);
if (wanted.includes(undefined)) {
  console.error(usage);
  process.exitCode = 1;
} else for (const bench of wanted) await bench?.();
