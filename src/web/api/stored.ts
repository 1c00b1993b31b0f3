// Web storage that never throws: it can be full, disabled or missing in private windows, and the page must
// still work.

export function readStored(storage: 'local' | 'session', key: string): string | null {
  try {
    return storageOf(storage).getItem(key);
  } catch {
    return null;
  }
}

/** A null value removes the key. */
export function writeStored(storage: 'local' | 'session', key: string, value: string | null): void {
  try {
    if (value === null) storageOf(storage).removeItem(key);
    else storageOf(storage).setItem(key, value);
  } catch (error) {
    console.warn(`Couldn’t store ${key}`, error);
  }
}

/** The keys that start with the prefix. */
export function storedKeys(storage: 'local' | 'session', prefix: string): string[] {
  try {
    return Object.keys(storageOf(storage)).filter((key) => key.startsWith(prefix));
  } catch {
    return [];
  }
}

/** Removes every key that starts with the prefix. */
export function removeStored(storage: 'local' | 'session', prefix: string): void {
  for (const key of storedKeys(storage, prefix)) writeStored(storage, key, null);
}

const storageOf = (storage: 'local' | 'session'): Storage => (storage === 'local' ? localStorage : sessionStorage);
