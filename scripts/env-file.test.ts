import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { needs } from '../test/needs.ts';
import { loadEnvFile, parseEnvFile } from './env-file.mjs';

const folder = mkdtempSync(join(tmpdir(), 'env-file-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function fileWith(content: string | Buffer, mode = 0o600): string {
  const file = join(folder, '.env');
  rmSync(file, { recursive: true, force: true });
  writeFileSync(file, content);
  chmodSync(file, mode);
  return file;
}

describe('a line that cannot be read is named, without its content', () => {
  test.each([
    'PORT',
    'PORT 3000',
    'A-B=1',
    '=secret',
    'A="secret',
    "A='secret",
    'A="secret" more',
    'A=#secret',
    '1A=b',
  ])('%s', (line) => {
    expect(() => parseEnvFile(`\n${line}\n`, '/x/.env')).toThrow(
      /^Line 2 of \/x\/\.env can't be read\. Write NAME=value/,
    );
    expect(() => parseEnvFile(`\n${line}\n`, '/x/.env')).not.toThrow(/secret/);
  });
  test('a variable that is set twice', () => {
    expect(() => parseEnvFile('A=1\nB=2\nA=3', '.env')).toThrow('Line 3 of .env sets A again.');
  });
  test.each([
    'APP_NAME=OursDATA_DIR=x',
    'OIDC_NAME=DATA_DIR=x',
    'A=f00dDATABASE_URL=postgres://u@h/n',
    'A=trueDRAIN_SECONDS=3',
  ])('%s, as when a setting is added to a line without an end', (line) => {
    const name = line.split('=', 1)[0];
    expect(() => parseEnvFile(`${line}\n`, '.env')).toThrow(
      `Line 1 of .env: ${name} has another setting in it. Start a new line there, or write ${name}="value".`,
    );
    expect(parseEnvFile(`${name}="DATA_DIR=x"`, '.env').size).toBe(1);
  });
  test('a comment that a setting was added to', () => {
    const warned = (text: string) => {
      const warnings: string[] = [];
      parseEnvFile(text, '.env', warnings);
      return warnings;
    };
    const warning = "Line 1 of .env: a comment isn't read. If a setting joined it, start a new line there.";
    expect(warned('# oursDATA_DIR=x\n')).toEqual([warning]);
    expect(warned('PORT=4000 # staffDATABASE_URL=postgres://u@h/n\n')).toEqual([warning]);
    expect(warned('#DATA_DIR=x\n# LINK_SECRET=, as DATA_DIR=x')).toEqual([]);
  });
});

test('values are read with and without quotes, comments and Windows line ends', () => {
  const text =
    '\uFEFFA=1\r\n# B=2\r\nexport C = three words  # why\r\nD="x # y"\nE=\'"\'\nF=\nG=a=b#c\nH=postgres://u:p@h/n?a=1&b=2\nI=1 # why\n';
  expect(Object.fromEntries(parseEnvFile(text, '.env'))).toEqual({
    A: '1',
    C: 'three words',
    D: 'x # y',
    E: '"',
    F: '',
    G: 'a=b#c',
    H: 'postgres://u:p@h/n?a=1&b=2',
    I: '1',
  });
});

test('a comment after a value with spaces is named: it may have been meant as part of it', () => {
  const file = fileWith('ADMIN_PASSWORD=a b #c\nPORT=1 # fine\nAPP_NAME="a b" # fine\n');
  const says = `Line 1 of ${file}: ADMIN_PASSWORD ends before the #. If it goes on, write ADMIN_PASSWORD="value".`;
  expect(loadEnvFile(file, {})).toEqual([says]);
});

test('the environment wins over the file, also with an empty value', () => {
  const env: Record<string, string> = { PORT: '1', APP_NAME: '' };
  expect(loadEnvFile(fileWith('PORT=2\nAPP_NAME=Staff\nHOST=::\n'), env)).toEqual([]);
  expect(env).toEqual({ PORT: '1', APP_NAME: '', HOST: '::' });
});

test('an empty value in the environment unsets the file’s NAME_FILE too, and NAME_FILE wins over NAME', () => {
  const env: Record<string, string> = { FILES_URL: '', SMTP_URL_FILE: '/run/smtp' };
  expect(loadEnvFile(fileWith('FILES_URL_FILE=/run/files\nSMTP_URL=smtp://mail\n'), env)).toEqual([]);
  expect(env).toEqual({ FILES_URL: '', SMTP_URL_FILE: '/run/smtp' });
});

test('a database from the environment has no other addresses from the file', () => {
  const env: Record<string, string> = { DATABASE_URL: 'postgres://trial' };
  const file = 'DATABASE_DIRECT_URL=postgres://live\nDATABASE_REPLICA_URL_FILE=/run/live\nPORT=2\n';
  expect(loadEnvFile(fileWith(file), env)).toEqual([]);
  expect(env).toEqual({ DATABASE_URL: 'postgres://trial', PORT: '2' });
});

test('a checkout without the file is fine', () => {
  expect(loadEnvFile(join(folder, 'none'), {})).toEqual([]);
});

test('with NODE_ENV and APP_ENV, as in an image, it is not read and a line says so', () => {
  const env: Record<string, string> = { NODE_ENV: 'production', APP_ENV: 'production' };
  const file = fileWith('PORT=2');
  expect(loadEnvFile(file, env)).toEqual([`${file} isn't read, because NODE_ENV is "production".`]);
  expect(env).toEqual({ NODE_ENV: 'production', APP_ENV: 'production' });
});

test('with NODE_ENV=production of a shell alone, nothing starts: a company with the demo would', () => {
  const file = fileWith('APP_ENV=production');
  expect(() => loadEnvFile(file, { NODE_ENV: 'production' })).toThrow(
    `${file} isn't read, because NODE_ENV is "production". Unset NODE_ENV, or set APP_ENV`,
  );
});

test(
  'a file that everybody on the machine can read gets a warning',
  needs('a system other than Windows', process.platform !== 'win32'),
  () => {
    const file = fileWith('PORT=2', 0o644);
    expect(loadEnvFile(file, {})).toEqual([`Every user of this machine can read ${file}. Run: chmod 600 '${file}'`]);
  },
);

test('what is no text file is refused in one line', () => {
  expect(() => loadEnvFile(fileWith(Buffer.from('PORT=2', 'utf16le')), {})).toThrow(/isn't UTF-8 text/);
  const file = fileWith('');
  rmSync(file);
  mkdirSync(file);
  expect(() => loadEnvFile(file, {})).toThrow(/isn't a regular file/);
});
