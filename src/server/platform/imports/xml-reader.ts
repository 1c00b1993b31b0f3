// Reads the XML of a workbook's part as it comes, with names without their prefix: programs choose those.
import { SaxesParser } from 'saxes';
import { decoded, markedEncoding } from './file-format.ts';
import { ImportError } from './import-error.ts';

export type Attributes = Readonly<Record<string, string>>;

export type XmlHandlers = {
  readonly open: (name: string, attributes: Attributes) => void;
  readonly text?: (text: string) => void;
  readonly close?: (name: string) => void;
};

/** The parser keeps a text or a tag until its end; no cell has as much. */
const longestPart = 4 * 1024 * 1024;

const localName = (name: string) => name.slice(name.indexOf(':') + 1);

/** Calls the handlers, and yields after each piece. */
export async function* readXml(
  name: string,
  bytes: AsyncIterable<Buffer>,
  { open, text, close }: XmlHandlers,
): AsyncGenerator<void> {
  const parser = new SaxesParser({ xmlns: false, position: false });
  let sinceEvent = 0;
  const noted =
    <Given>(handle: (given: Given) => void) =>
    (given: Given) => {
      sinceEvent = 0;
      handle(given);
    };
  parser.on(
    'opentag',
    noted((tag: { name: string; attributes: Attributes }) => open(localName(tag.name), tag.attributes)),
  );
  parser.on(
    'closetag',
    noted((tag: { name: string }) => close?.(localName(tag.name))),
  );
  parser.on(
    'text',
    noted((found: string) => text?.(found)),
  );
  parser.on(
    'cdata',
    noted((found: string) => text?.(found)),
  );
  const damaged = (error: unknown): Error =>
    error instanceof ImportError
      ? error
      : new ImportError(`${name} is damaged: a part of it isn’t XML (${(error as Error).message})`);
  for await (const piece of decodedXml(bytes)) {
    sinceEvent += piece.length;
    try {
      parser.write(piece);
    } catch (error) {
      throw damaged(error);
    }
    if (sinceEvent > longestPart) throw new ImportError(`${name} has a cell longer than 4 MB`);
    yield;
  }
  try {
    parser.close();
  } catch (error) {
    throw damaged(error);
  }
}

async function* decodedXml(bytes: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const pieces = bytes[Symbol.asyncIterator]();
  const first = await pieces.next();
  if (first.done) return;
  const rest = { [Symbol.asyncIterator]: () => pieces };
  yield* decoded(withFirst(first.value, rest), markedEncoding(first.value) ?? 'utf-8');
}

async function* withFirst(first: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  yield* rest;
}
