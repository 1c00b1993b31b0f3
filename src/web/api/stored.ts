// Web storage that never throws: it is full, switched off or missing in private windows, and none of that may stop a page.

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
    console.warn(`${key} could not be stored`, error);
  }
}

/** Removes every key that starts with the prefix. */
export function removeStored(storage: 'local' | 'session', prefix: string): void {
  try {
    const keys = Object.keys(storageOf(storage));
    for (const key of keys) if (key.startsWith(prefix)) storageOf(storage).removeItem(key);
  } catch (error) {
    console.warn(`${prefix}* could not be removed`, error);
  }
}

const storageOf = (storage: 'local' | 'session'): Storage => (storage === 'local' ? localStorage : sessionStorage);
