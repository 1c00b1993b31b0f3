// Saves what the page shows as a CSV file.
import { type CsvCell, csvText } from '#core/base/csv.ts';

/** File systems allow 255 bytes. */
const longestName = 240;

export function saveCsv(fileName: string, head: readonly string[], rows: readonly (readonly CsvCell[])[]): void {
  saveCsvText(fileName, csvText(head, rows));
}

export function saveCsvText(fileName: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = `${cutToBytes(fileName.replace(/[^\p{L}\p{N}_.-]+/gu, '-'), longestName)}.csv`;
  link.click();
  // The browser reads the address after the click handler returns.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** As many whole characters as fit. */
function cutToBytes(text: string, most: number): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(most));
  return text.slice(0, read);
}
