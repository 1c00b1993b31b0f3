// Makes zip archives and Excel workbooks for tests, also broken ones.
import { crc32, deflateRawSync } from 'node:zlib';

export type ZipPart = {
  readonly name: string;
  readonly content: string | Buffer;
  readonly isStored?: boolean;
  /** As written by programs that don't know the size before. */
  readonly flags?: number;
  readonly crc?: number;
  readonly method?: number;
};

export function makeZip(parts: readonly ZipPart[]): Buffer {
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const { name, content, isStored = false, flags = 0x800, crc, method = isStored ? 0 : 8 } of parts) {
    const bytes = Buffer.from(content);
    const packed = isStored ? bytes : deflateRawSync(bytes);
    const file = Buffer.from(name);
    const shared = Buffer.alloc(26);
    shared.writeUInt16LE(20, 0);
    shared.writeUInt16LE(flags, 2);
    shared.writeUInt16LE(method, 4);
    shared.writeUInt32LE(crc ?? crc32(bytes), 10);
    shared.writeUInt32LE(packed.length, 14);
    shared.writeUInt32LE(bytes.length, 18);
    shared.writeUInt16LE(file.length, 22);
    bodies.push(Buffer.from('PK\u0003\u0004'), shared, file, packed);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(at, 10);
    directory.push(Buffer.from('PK\u0001\u0002\u0014\0'), shared, tail, file);
    at += 30 + file.length + packed.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006', 'latin1');
  end.writeUInt16LE(parts.length, 8);
  end.writeUInt16LE(parts.length, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...bodies, listed, end]);
}

export type MadeSheet = {
  readonly name: string;
  /** What `sheetData` has in it. */
  readonly data: string;
  readonly state?: 'hidden' | 'veryHidden';
  readonly type?: 'worksheet' | 'chartsheet';
};

type Book = {
  readonly sheets: readonly MadeSheet[];
  readonly texts?: readonly string[];
  /** Codes of the formats 1, 2 and so on; a number is a built-in one. */
  readonly formats?: readonly (string | number)[];
  readonly is1904?: boolean;
  readonly more?: readonly ZipPart[];
};

const types = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
const relations = (list: readonly string[]) => `<?xml version="1.0"?><Relationships>${list.join('')}</Relationships>`;
const relation = (id: string, type: string, target: string) =>
  `<Relationship Id="${id}" Type="${types}/${type}" Target="${target}"/>`;

export function workbookParts({ sheets, texts = [], formats = [], is1904 = false, more = [] }: Book): ZipPart[] {
  const named = sheets.map(
    ({ name, state }, at) =>
      `<sheet name="${escaped(name)}" sheetId="${at + 1}" r:id="rId${at + 1}"${state ? ` state="${state}"` : ''}/>`,
  );
  const codes = formats.map((code, at) =>
    typeof code === 'number' ? '' : `<numFmt numFmtId="${200 + at}" formatCode="${escaped(code)}"/>`,
  );
  const styles = formats.map((code, at) => `<xf numFmtId="${typeof code === 'number' ? code : 200 + at}"/>`);
  const shared = texts.map((text) => `<si><t xml:space="preserve">${escaped(text)}</t></si>`);
  const ofSheets = sheets.map(({ type = 'worksheet' }, at) =>
    relation(`rId${at + 1}`, type, `worksheets/sheet${at + 1}.xml`),
  );
  const ofBook = [...ofSheets, relation('s', 'styles', 'styles.xml'), relation('t', 'sharedStrings', '/xl/texts.xml')];
  return [
    { name: '[Content_Types].xml', content: '<Types/>' },
    { name: '_rels/.rels', content: relations([relation('rId1', 'officeDocument', 'xl/workbook.xml')]) },
    {
      name: 'xl/workbook.xml',
      content: `<workbook xmlns:r="${types}"><workbookPr date1904="${is1904 ? 1 : 0}"/><sheets>${named.join('')}</sheets></workbook>`,
    },
    { name: 'xl/_rels/workbook.xml.rels', content: relations(ofBook) },
    {
      name: 'xl/styles.xml',
      content: `<styleSheet><numFmts>${codes.join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/>${styles.join('')}</cellXfs></styleSheet>`,
    },
    { name: 'xl/texts.xml', content: `<sst>${shared.join('')}</sst>` },
    ...sheets.map(({ data }, at) => ({
      name: `xl/worksheets/sheet${at + 1}.xml`,
      content: `<?xml version="1.0" encoding="UTF-8"?><worksheet><sheetData>${data}</sheetData></worksheet>`,
    })),
    ...more,
  ];
}

export const makeWorkbook = (book: Book): Buffer => makeZip(workbookParts(book));

/** Rows of texts and numbers, as most programs write them. */
export const rowsOfCells = (rows: readonly (readonly (string | number | null)[])[]): string =>
  rows
    .map((cells) => {
      const written = cells.map((cell) => {
        if (cell === null) return '<c/>';
        return typeof cell === 'number'
          ? `<c><v>${cell}</v></c>`
          : `<c t="inlineStr"><is><t>${escaped(cell)}</t></is></c>`;
      });
      return `<row>${written.join('')}</row>`;
    })
    .join('');
