/** What is made when it is first asked for: a format of `Intl` costs a slow phone 30 ms and more, whether it is used or not. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
