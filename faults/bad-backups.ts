// Backups that a restore has to refuse: damaged, cut off, forged, or for another key.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from './acknowledged-writes.ts';
import { answersOf, assertRan, type NewPlace, run } from './new-place.ts';

type Damage = {
  readonly what: string;
  readonly said: RegExp;
  damage(folder: string): void;
};

/** The file that is there under another name doesn't change. */
function replace(file: string, content: string | Buffer): void {
  rmSync(file);
  writeFileSync(file, content);
}

/** As one does who can write to the store of backups and has no LINK_SECRET. */
function forge(folder: string): void {
  const file = join(folder, 'manifest.json');
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as { madeAt: string };
  const text = JSON.stringify({ ...manifest, madeAt: '2026-01-01T00:00:00Z' });
  replace(file, text);
  replace(`${file}.sha256`, `${sha256(text)}  manifest.json\n`);
}

function flipOneByte(file: string): void {
  const bytes = readFileSync(file);
  const middle = bytes.length >> 1;
  bytes[middle] = (bytes[middle] ?? 0) ^ 1;
  replace(file, bytes);
}

const firstFile = (folder: string): string =>
  join(folder, JSON.parse(readFileSync(join(folder, 'lists', '1.json'), 'utf8')).files[0].file);

export const damages: readonly Damage[] = [
  { what: 'with one byte of a file flipped', said: /was changed/, damage: (folder) => flipOneByte(firstFile(folder)) },
  {
    what: 'with one byte of the tasks flipped',
    said: /was changed/,
    damage: (folder) =>
      flipOneByte(
        join(folder, 'tables', readdirSync(join(folder, 'tables')).find((name) => /^tasks\./.test(name)) ?? ''),
      ),
  },
  { what: 'without one of its files', said: /cannot be read/, damage: (folder) => rmSync(firstFile(folder)) },
  { what: 'that somebody else made', said: /another LINK_SECRET, or someone changed it/, damage: forge },
  {
    what: 'without its code',
    said: /its signature, manifest\.json\.hmac, is missing/,
    damage: (folder) => rmSync(join(folder, 'manifest.json.hmac')),
  },
  {
    what: 'that never ended',
    said: /no complete backup/,
    damage: (folder) => rmSync(join(folder, 'manifest.json.sha256')),
  },
];

/** Tries every one at a place with nothing on it; gives what was not refused, or left something there. */
export async function refusals(plain: string, encrypted: string, folder: string, place: NewPlace): Promise<string[]> {
  const faults: string[] = [];
  const refused = async (what: string, said: RegExp, parameters: string[]) => {
    const ran = await run('restore', parameters, place.env);
    if (ran.code !== 1 || !said.test(ran.said))
      faults.push(`a backup ${what} was answered with ${ran.code}: ${ran.said}`);
    const [row] = await answersOf<{ empty: boolean }>(
      place.database.url,
      "select to_regclass('public.people') is null as empty",
    );
    if (!row?.empty) faults.push(`a backup ${what} left something in the database`);
  };
  for (const { what, said, damage } of damages) {
    const copy = join(folder, 'damaged');
    // The same files under other names: a company's are many.
    execFileSync('cp', ['-al', plain, copy]);
    damage(copy);
    await refused(what, said, [copy]);
    rmSync(copy, { recursive: true });
  }
  const otherKey = join(folder, 'other-key.txt');
  assertRan(await run('backup', ['--new-key', otherKey], {}));
  await refused('for another key', /wasn’t encrypted for this identity/, [encrypted, '--identity', otherKey]);
  await refused('that is encrypted, without a key', /it is encrypted/, [encrypted]);
  return faults;
}
