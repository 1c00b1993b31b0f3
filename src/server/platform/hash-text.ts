import { createHash } from 'node:crypto';

/** For what has enough random bits to need no slow hash, and for keys that are to tell nothing. */
export const hashText = (text: string): Buffer => createHash('sha256').update(text).digest();
