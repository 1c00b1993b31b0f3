// Saves what the page shows as a CSV file.
import { type CsvCell, csvText } from '#core/base/csv.ts';

/** File systems allow 255 bytes. */
const longestName = 120;

export function saveCsv(fileName: string, head: readonly string[], rows: readonly (readonly CsvCell[])[]): void {
  saveCsvText(fileName, csvText(head, rows));
}

export function saveCsvText(fileName: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = `${fileName.replace(/[^\p{L}\p{N}_.-]+/gu, '-').slice(0, longestName)}.csv`;
  link.click();
  // The browser reads the address after the click handler returns.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
