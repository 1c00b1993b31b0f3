// Decides which values count as missing in an input. Used by every call of the web, before anything is
// rendered, and by the server's inputs.

/** Drops null and undefined but keeps empty strings, which mean "clear this field" (spec 5, D36). */
export function withoutEmpty<Value extends object>(values: Value): { [Key in keyof Value]: Exclude<Value[Key], null> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null && value !== undefined)) as {
    [Key in keyof Value]: Exclude<Value[Key], null>;
  };
}
