// Recovery codes are shown once. This browser remembers that the person hasn't confirmed saving them; it
// never stores the codes.
import { personPrefix } from './session.ts';
import { readStored, writeStored } from './stored.ts';

const key = `${personPrefix}codes-unconfirmed`;

export const markCodesShown = (): void => writeStored('local', key, 'yes');
export const confirmCodesSaved = (): void => writeStored('local', key, null);
export const areCodesUnconfirmed = (): boolean => readStored('local', key) !== null;
