import { config } from './config.ts';

/** Downloads from a one-time address, so the browser's history has none with lasting access. */
export function download(path: string): void {
  const link = document.createElement('a');
  link.href = new URL(path, config().top5ServerUrl || location.origin).href;
  link.download = '';
  link.click();
}
