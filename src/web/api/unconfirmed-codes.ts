// Recovery codes are shown once. Until the person says that they saved them, this browser remembers that they may not have.
// It keeps the mark only, never the codes.
import { ofPerson } from './session.ts';
import { readStored, writeStored } from './stored.ts';

const key = `${ofPerson}codes-unconfirmed`;

export const markCodesShown = (): void => writeStored('local', key, 'yes');
export const confirmCodesSaved = (): void => writeStored('local', key, null);
export const areCodesUnconfirmed = (): boolean => readStored('local', key) !== null;
