// `npm run bench -- [operations | dashboard] [options]`; without a name both, one after the other. Talks to this machine only, ends by
// itself, and writes its results to docs/results/.
import 'temporal-polyfill/global';
import { parseArgs } from 'node:util';
import { benchDashboard } from './dashboard.ts';
import { benchOperations } from './operations.ts';
import { fullSize } from './workload.ts';

const usage = `npm run bench -- [operations | dashboard] [options]
  operations  a day's work beside a bare server on the same database
    --people 2000  --orders 2000000  --seconds 10  --repeats 3  --only abced  --no-starts
  dashboard   a sales dashboard beside plain SQL over the rows, and an import beside COPY
    --orders 2000000  --rounds 20  --import-rows 200000`;

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
} as const;

const { values, positionals } = parseArgs({ options, allowPositionals: true });
const number = (name: 'people' | 'orders' | 'seconds' | 'repeats' | 'rounds' | 'import-rows'): number =>
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
  dashboard: () => benchDashboard({ orders, rounds: number('rounds'), importRows: number('import-rows') }),
};

const names = positionals.length === 0 ? Object.keys(benchmarks) : positionals;
const wanted = names.map((name) => benchmarks[name]);
if (wanted.includes(undefined)) {
  console.error(usage);
  process.exitCode = 1;
} else for (const bench of wanted) await bench?.();
