// What a preview reads of a file: its start, the start of each part of an archive, or of a large Parquet file
// its end, which says where everything is, and the first page of each column with its dictionary.
import { type ColumnMetaData, parquetMetadata } from 'hyparquet';
import { parquetHeader } from 'hyparquet/src/column.js';
import { importLimits } from '#core/numbers/imports.ts';
import { isZip, zipSample } from './zip-sample.ts';

/** Where it begins in the file, and how long it is. */
type Place = readonly [number, number];

type ParquetSample = { readonly bytes: Uint8Array<ArrayBuffer>; readonly places: readonly Place[] };

const endBytes = 8;
/** `PAR1`. */
const endSign = 0x31524150;
/** A page's header; it quotes the page's least and greatest value. */
const headerBytes = 128 * 1024;

const bufferAt = (file: Blob, [at, length]: Place) => file.slice(at, at + length).arrayBuffer();

/** The start of a file for a preview, or parts of a Parquet file. */
export type Sample = {
  readonly text: string;
  readonly isWhole: boolean;
  readonly parts?: { readonly size: number; readonly places: ParquetSample['places'] };
};

export async function sampleOf(file: File): Promise<Sample> {
  const zipped = (await isZip(file)) ? await zipSample(file) : null;
  const isParquet = (await file.slice(0, 4).text()) === 'PAR1';
  const isLarge = file.size > importLimits.wholeSample;
  const most = isParquet && !isLarge ? importLimits.wholeSample : importLimits.sample;
  const parquet = isParquet && isLarge ? await parquetSample(file) : null;
  const bytes = (zipped ?? parquet)?.bytes ?? new Uint8Array(await file.slice(0, most).arrayBuffer());
  // In chunks, because a call's number of arguments is limited.
  let binary = '';
  for (let at = 0; at < bytes.length; at += 8_192) binary += String.fromCharCode(...bytes.subarray(at, at + 8_192));
  return {
    text: btoa(binary),
    isWhole: zipped?.isWhole ?? file.size <= most,
    ...(parquet && { parts: { size: file.size, places: parquet.places } }),
  };
}

/** Null if the parts are too large. */
export async function parquetSample(file: Blob): Promise<ParquetSample | null> {
  const sign = new DataView(await bufferAt(file, [file.size - endBytes, endBytes]));
  const isWhole = sign.getUint32(4, true) === endSign;
  const length = isWhole ? Math.min(sign.getUint32(0, true) + endBytes, file.size) : endBytes;
  if (length > importLimits.partsSample) return null;
  const end: Place = [file.size - length, length];
  const places = [end, ...(await firstPages(file, await bufferAt(file, end)))];
  const size = places.reduce((sum, place) => sum + place[1], 0);
  if (size > importLimits.partsSample || places.length > importLimits.sampleParts) return null;
  const parts = await Promise.all(places.map((place) => bufferAt(file, place)));
  return { bytes: new Uint8Array(await new Blob(parts).arrayBuffer()), places };
}

/** None if the file is damaged: the server says how. */
async function firstPages(file: Blob, end: ArrayBuffer): Promise<Place[]> {
  try {
    const groups = parquetMetadata(end, { geoparquet: false }).row_groups;
    const columns = groups.find(({ num_rows: rows }) => rows > 0n)?.columns ?? [];
    return await Promise.all(columns.map(({ meta_data: meta }) => firstPageOf(file, meta!)));
  } catch {
    return [];
  }
}

async function firstPageOf(file: Blob, meta: ColumnMetaData): Promise<Place> {
  // Zero means there is no dictionary, and some programs leave it out.
  const start = Number(meta.dictionary_page_offset || meta.data_page_offset);
  const end = Number(meta.total_compressed_size) + start;
  for (let [at, hasRows] = [start, false]; ; ) {
    if (hasRows || at >= end) return [start, at - start];
    const reader = { view: new DataView(await bufferAt(file, [at, Math.min(headerBytes, end - at)])), offset: 0 };
    const header = parquetHeader(reader);
    if (!(header.compressed_page_size >= 0)) throw new Error('A page has no size');
    at += reader.offset + header.compressed_page_size;
    hasRows = ((header.data_page_header_v2 ?? header.data_page_header)?.num_values ?? 0) > 0;
  }
}
