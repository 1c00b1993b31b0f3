import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fileKindOf, fileKinds, fileLinkSeconds, fileProblem, nameFromForm, safeFileName } from './files.ts';

const bytes = (text: string) => new TextEncoder().encode(text).length;

describe('types of files', () => {
  it.each([
    'picture.svg',
    'page.html',
    'page.htm',
    'page.xhtml',
    'page.xml',
    'script.js',
    'script.mjs',
    'program.exe',
    'run.sh',
    'picture.png.exe',
    'picture.png.',
    'picture.png ',
    'picture.png\0',
    'picture.png/',
    'png',
    'no extension',
    '',
    '.',
    'x.__proto__',
    'x.constructor',
    'x.toString',
    'x.\u0440ng',
    'x.png\u202egpj',
  ])('%j is not accepted', (name) => {
    expect(fileKindOf(name)).toBeNull();
  });
  it.each([
    ['picture.png', 'image/png'],
    ['PICTURE.PNG', 'image/png'],
    ['a.b.JpEg', 'image/jpeg'],
    ['notes.md', 'text/markdown'],
    ['video.webm', 'video/webm'],
  ])('%j is %s', (name, mime) => {
    expect(fileKindOf(name)?.mime).toBe(mime);
  });
  it('are images, PDF, text, office documents, zip, mp4 and webm', () => {
    expect(Object.keys(fileKinds).sort()).toEqual(
      'png jpg jpeg gif webp avif pdf txt md csv json log docx xlsx pptx odt ods odp doc xls ppt zip mp4 webm'
        .split(' ')
        .sort(),
    );
  });
  it('show in place only as images and text', () => {
    const shown = Object.entries(fileKinds).filter(([, kind]) => kind.preview === 'image');
    expect(shown.every(([, kind]) => kind.check === 'magic' && kind.mime.startsWith('image/'))).toBe(true);
    expect(
      Object.values(fileKinds)
        .filter((kind) => kind.preview === 'text')
        .every((kind) => kind.check === 'text'),
    ).toBe(true);
  });
  it('are linked for ten minutes', () => {
    expect(fileLinkSeconds).toBe(600);
  });
});

describe('names of files', () => {
  it.each([
    ['../../etc/passwd', 'etc passwd'],
    ['..\\..\\windows\\win.ini', 'windows win.ini'],
    ['/etc/passwd', 'etc passwd'],
    ['a\r\nContent-Type: text/html', 'a Content-Type: text html'],
    ['a\0.png', 'a .png'],
    ['invoice\u202egnp.exe', 'invoice gnp.exe'],
    ['\u2066a\u2069.pdf', 'a .pdf'],
    ['a\u061cb.pdf', 'a b.pdf'],
    ['...', 'file'],
    ['', 'file'],
    ['   ', 'file'],
    ['/', 'file'],
    ['\u202e', 'file'],
    ['.htaccess', 'htaccess'],
    ['tab\there.txt', 'tab here.txt'],
    ['line\u2028break.txt', 'line break.txt'],
    ['cafe\u0301.txt', 'caf\u00e9.txt'],
    ['half\ud800pair.txt', 'half\ufffdpair.txt'],
    ['__proto__', '__proto__'],
    // A label, never a path: the store names files by a random key.
    ['CON', 'CON'],
    ['Rapport "Q3"; final.pdf', 'Rapport "Q3"; final.pdf'],
    ['\u65e5\u672c\u8a9e.pdf', '\u65e5\u672c\u8a9e.pdf'],
    ['\ud83c\udf89.png', '\ud83c\udf89.png'],
  ])('%j is kept as %j', (name, safe) => {
    expect(safeFileName(name)).toBe(safe);
  });

  it('of 10 KB are cut before the extension', () => {
    for (const letter of ['a', '\u00e9', '\u65e5', '\ud83c\udf89']) {
      const safe = safeFileName(`${letter.repeat(10_000)}.pdf`);
      expect(safe.endsWith('.pdf')).toBe(true);
      expect(bytes(safe)).toBeLessThanOrEqual(255);
      expect(safe.startsWith(letter)).toBe(true);
      expect(safe).not.toContain('\ufffd');
    }
    expect(bytes(safeFileName(`a.${'b'.repeat(10_000)}`))).toBeLessThanOrEqual(255);
  });

  it('hold nothing that separates paths, ends a header or turns text around, whatever comes', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '/',
        '\\',
        '..',
        '.',
        '\0',
        '\r\n',
        '\u202e',
        '\u200f',
        '\u061c',
        '\ud800',
        '\udc00',
        '"',
        ';',
        ' ',
        'CON',
        '.png',
      ),
      fc.string({ unit: 'binary' }),
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join('')),
        (name) => {
          const safe = safeFileName(name);
          expect(safe).not.toBe('');
          expect(safe).not.toMatch(/[\p{Cc}/\\\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069\u2028\u2029]/u);
          expect(safe.startsWith('.')).toBe(false);
          expect(safe).toBe(safe.trim());
          expect(safe.isWellFormed()).toBe(true);
          expect(bytes(safe)).toBeLessThanOrEqual(255);
          expect(safeFileName(safe)).toBe(safe);
        },
      ),
      { numRuns: 3000 },
    );
  });
});

describe('what speaks against a file', () => {
  it('is its type, its size or both', () => {
    expect(fileProblem({ name: 'tool.exe', size: 5 }, 25)).toMatch(/isn’t allowed. Use PNG/);
    expect(fileProblem({ name: 'a.png', size: 25_000_001 }, 25)).toMatch(/The limit is 25 MB$/);
    expect(fileProblem({ name: 'a.bin', size: 27_000_000 }, 25)).toMatch(/isn’t allowed.*The limit is 25 MB$/);
    expect(fileProblem({ name: 'a.txt', size: 0 }, 25)).toBe('The file is empty');
  });
  it('is nothing for a file that may be attached', () => {
    expect(fileProblem({ name: 'a.png', size: 25_000_000 }, 25)).toBeNull();
  });
});

it('the name of a file is the one on its owner’s disk, as browsers escape quotes and line breaks in forms', () => {
  expect(nameFromForm('%22quote%22.txt')).toBe('"quote".txt');
  expect(nameFromForm('a%0D%0Ab.txt')).toBe('a\r\nb.txt');
  expect(nameFromForm('100%25 of 5%.txt')).toBe('100%25 of 5%.txt');
});
