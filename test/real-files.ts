// Files of real shops and events, beside the checkout. The three largest are sampled, unless the run is a
// full one.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { needs } from './needs.ts';
import { isFull } from './sampling.ts';

const folder = fileURLToPath(new URL('../../shared/data/', import.meta.url));

export const realFile = (name: string): string => join(folder, name);

export const needsReal = (name: string) => needs(`../shared/data/${name}`, existsSync(realFile(name)));

/** By the line, without its heading, and its place. */
type Chooses = (line: string, index: number) => boolean;

const oneIn = 20;
/** Whole orders: every twentieth number, with those of the three adjustments in the file. */
const byInvoice: Chooses = (line) => Number(line.slice(0, line.indexOf(',')).replace(/\D/g, '')) % oneIn === 5;
const everyTwentieth: Chooses = (_line, index) => index % oneIn === 0;
const samples: Readonly<Record<string, Chooses>> = {
  'sales_online_retail.csv.gz': byInvoice,
  'donations_gdq.csv.gz': everyTwentieth,
  'payments_olist_order_payments_full.csv.gz': everyTwentieth,
};

/** The file, or its sample in this folder. */
export function sampledFile(name: string, target: string): string {
  const choose = samples[name];
  if (isFull || choose === undefined) return realFile(name);
  const [head, ...lines] = gunzipSync(readFileSync(realFile(name)))
    .toString()
    .trimEnd()
    .split('\n');
  const sample = join(target, name);
  writeFileSync(sample, gzipSync(`${[head, ...lines.filter(choose)].join('\n')}\n`));
  return sample;
}
