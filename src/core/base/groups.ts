/** Adds a value to its group. In place: copying the group for each of 20,000 people takes seconds. */
export function addToGroup<Key, Value>(groups: Map<Key, Value[]>, key: Key, value: Value): void {
  const group = groups.get(key);
  if (group) group.push(value);
  else groups.set(key, [value]);
}
