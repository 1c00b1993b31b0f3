// Where attached files are kept.
import type { Readable } from 'node:stream';

export type FileStore = {
  /** Stores the stream under the key; when it fails or is cut off, nothing stays. */
  put(key: string, content: Readable): Promise<void>;
  get(key: string): Promise<Readable>;
  remove(key: string): Promise<void>;
  /** Keys stored before the instant, for the janitor. */
  keysBefore(instant: Temporal.Instant): AsyncIterable<string>;
  /** Removes what broken uploads left before the instant. */
  removeLeftovers(instant: Temporal.Instant): Promise<void>;
};
