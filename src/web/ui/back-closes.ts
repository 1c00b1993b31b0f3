// The browser's Back closes an open dialog or menu before it leaves the page. What the URL contains needs no
// entry here, because Back changes the URL.
import { useEffect, useRef } from 'react';

type Layer = { readonly close: () => void };

/** The topmost last. */
let layers: readonly Layer[] = [];
let onChange: (isAnyOpen: boolean) => void = () => {};

function become(next: readonly Layer[]): void {
  const before = layers.length;
  layers = next;
  if ((before === 0) !== (next.length === 0)) onChange(next.length > 0);
}

/** Registers the router, which handles Back. */
export function onLayers(listener: typeof onChange): void {
  onChange = listener;
}

/** Returns whether there was one. */
export function closeTopLayer(): boolean {
  layers.at(-1)?.close();
  return layers.length > 0;
}

export function useBackCloses(opened: boolean, onClose: () => void): void {
  const latest = useRef(onClose);
  latest.current = onClose;
  useEffect(() => {
    if (!opened) return undefined;
    const layer = { close: () => latest.current() };
    become([...layers, layer]);
    return () => become(layers.filter((each) => each !== layer));
  }, [opened]);
}
