// What a workbook (.xlsx) says about its sheets: their names and parts, its formats, and the texts of its
// cells. Macros, charts and formulas are never read.
import { posix } from 'node:path';
import { type CellFormat, cellFormat, unescaped } from './cell-texts.ts';
import { ImportError } from './import-error.ts';
import { SharedTexts } from './shared-texts.ts';
import { untilBroken, withinLimits } from './unpacked-bytes.ts';
import { type Attributes, readXml, type XmlHandlers } from './xml-reader.ts';
import type { ZipArchive, ZipMember } from './zip-members.ts';

export type Workbook = {
  /** Names of all sheets of cells, in their order. */
  readonly sheets: readonly string[];
  /** The chosen one. */
  readonly sheet: string;
  readonly part: ZipMember;
  readonly texts: ZipMember | undefined;
  readonly formats: readonly CellFormat[];
  readonly is1904: boolean;
};

/** More than a spreadsheet program opens comfortably. */
const mostSheets = 1_000;
const mostFormats = 100_000;
const mostTextBytes = 128 * 1024 * 1024;

const contentTypes = '[Content_Types].xml';
/** Files of other programs that are archives too, by a member they have. */
const others: readonly (readonly [RegExp, string])[] = [
  [/^xl\/workbook\.bin$/, 'a binary Excel file (.xlsb)'],
  [/^content\.xml$/, 'an OpenDocument file'],
  [/^Index\/Document\.iwa$|^Index\.zip$/, 'a Numbers file'],
];

/** Whether an archive is a workbook; refuses those of other programs. */
export function isWorkbook({ members }: ZipArchive, name: string): boolean {
  for (const [pattern, kind] of others)
    if (members.some((member) => pattern.test(member.name)))
      throw new ImportError(`${name} is ${kind}. Save it as .xlsx or CSV`);
  return members.some((member) => member.name === contentTypes);
}

/** `wanted`: the sheet's name; the first visible one by default. */
export async function openWorkbook(archive: ZipArchive, name: string, wanted: string | undefined): Promise<Workbook> {
  const parts = new Map(archive.members.map((member) => [member.name, member]));
  const start = await relations(parts, '', name);
  const main = [...start.values()].find(({ type }) => type === 'officeDocument');
  const { sheets, is1904 } = await sheetsOf(main && parts.get(main.target), name);
  const related = await relations(parts, main?.target ?? '', name);
  const partOf = (type: string) => {
    const found = [...related.values()].find((relation) => relation.type === type);
    return found && parts.get(found.target);
  };
  const usable = sheets.filter(({ relation }) => {
    const found = related.get(relation);
    return found?.type === 'worksheet' && parts.has(found.target);
  });
  const names = usable.map((sheet) => sheet.name);
  const chosen =
    wanted === undefined
      ? (usable.find(({ isHidden }) => !isHidden) ?? usable[0])
      : usable.find((sheet) => sheet.name === wanted);
  if (!chosen && wanted !== undefined)
    throw new ImportError(`${name} has no sheet “${wanted}”. Its sheets are ${shortList(names)}`);
  if (!chosen) throw new ImportError(`${name} is an Office file without a worksheet. Use .xlsx, CSV or JSON`);
  return {
    sheets: names,
    sheet: chosen.name,
    part: parts.get(related.get(chosen.relation)!.target)!,
    texts: partOf('sharedStrings'),
    formats: await formatsOf(partOf('styles'), name),
    is1904,
  };
}

const namesShown = 10;

export const shortList = (names: readonly string[]): string =>
  names
    .slice(0, namesShown)
    .map((one) => `“${one}”`)
    .join(', ') + (names.length > namesShown ? ` and ${names.length - namesShown} more` : '');

async function readPart(part: ZipMember | undefined, name: string, handlers: XmlHandlers): Promise<void> {
  if (!part) return;
  for await (const _ of readXml(name, withinLimits(name, await part.open()), handlers));
}

type Relation = { readonly type: string; readonly target: string };

/** The parts that a part refers to, by their id in it. `type`: the last word of its address. */
async function relations(
  parts: ReadonlyMap<string, ZipMember>,
  part: string,
  name: string,
): Promise<Map<string, Relation>> {
  const found = new Map<string, Relation>();
  const folder = posix.dirname(part);
  const file = posix.join(folder, '_rels', `${posix.basename(part)}.rels`);
  await readPart(parts.get(file), name, {
    open: (tag, { Id = '', Type = '', Target = '' }) => {
      if (tag !== 'Relationship') return;
      const target = Target.startsWith('/') ? Target.slice(1) : posix.join(folder, Target);
      found.set(Id, { type: Type.slice(Type.lastIndexOf('/') + 1), target });
    },
  });
  return found;
}

type Sheet = { readonly name: string; readonly relation: string; readonly isHidden: boolean };

async function sheetsOf(part: ZipMember | undefined, name: string): Promise<{ sheets: Sheet[]; is1904: boolean }> {
  const sheets: Sheet[] = [];
  let is1904 = false;
  await readPart(part, name, {
    open: (tag, attributes) => {
      if (tag === 'workbookPr') is1904 = /^(1|true)$/.test(attributes.date1904 ?? '');
      if (tag !== 'sheet') return;
      if (sheets.length === mostSheets) throw new ImportError(`${name} has more than ${mostSheets} sheets`);
      const isHidden = (attributes.state ?? 'visible') !== 'visible';
      sheets.push({ name: attributes.name ?? '', relation: relationId(attributes), isHidden });
    },
  });
  return { sheets, is1904 };
}

/** The attribute's prefix is the program's choice; `sheetId` and `id` are others. */
const relationId = (attributes: Attributes): string =>
  Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1] ?? '';

/** The formats by their number in the sheets' cells. */
async function formatsOf(part: ZipMember | undefined, name: string): Promise<CellFormat[]> {
  const codes = new Map<string, string>();
  const formats: CellFormat[] = [];
  let isCells = false;
  await readPart(part, name, {
    open: (tag, { numFmtId = '0', formatCode = '' }) => {
      if (tag === 'numFmt') codes.set(numFmtId, formatCode);
      if (tag === 'cellXfs') isCells = true;
      if (tag !== 'xf' || !isCells) return;
      if (formats.length === mostFormats) throw new ImportError(`${name} has too many cell formats`);
      formats.push(cellFormat(Number(numFmtId), codes.get(numFmtId)));
    },
    close: (tag) => {
      if (tag === 'cellXfs') isCells = false;
    },
  });
  return formats;
}

/** `isSample`: the part may be cut off. */
export async function sharedTexts(bytes: AsyncIterable<Buffer>, name: string, isSample: boolean): Promise<SharedTexts> {
  const texts = new SharedTexts(mostTextBytes);
  let text = '';
  let [isText, isPhonetic] = [false, false];
  const handlers: XmlHandlers = {
    open: (tag) => {
      if (tag === 'si') text = '';
      else if (tag === 'rPh') isPhonetic = true;
      else if (tag === 't') isText = !isPhonetic;
    },
    text: (piece) => {
      if (isText) text += piece;
    },
    close: (tag) => {
      if (tag === 't') isText = false;
      else if (tag === 'rPh') isPhonetic = false;
      else if (tag === 'si' && !texts.add(unescaped(text)))
        throw new ImportError(`${name} has too much text for a workbook. Save the sheet as CSV`);
    },
  };
  try {
    for await (const _ of readXml(name, isSample ? untilBroken(bytes) : bytes, handlers));
  } catch (error) {
    // The cut is inside a tag.
    if (!isSample) throw error;
  }
  return texts;
}
