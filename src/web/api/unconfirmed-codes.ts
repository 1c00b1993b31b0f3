// Recovery codes are shown once. This browser remembers that the person hasn't confirmed saving them; it
// never stores the codes.
import { ownPrefix } from './session.ts';
import { readStored, writeStored } from './stored.ts';

const name = 'codes-unconfirmed';

export const markCodesShown = (): void => writeStored('local', ownPrefix() + name, 'yes');
export const confirmCodesSaved = (): void => writeStored('local', ownPrefix() + name, null);
export const areCodesUnconfirmed = (): boolean => readStored('local', ownPrefix() + name) !== null;
