import { createHash } from 'node:crypto';

/**
 * For texts with enough random bits to need no slow hash, and for keys that must not reveal their content.
 */
export const hashText = (text: string): Buffer => createHash('sha256').update(text).digest();
