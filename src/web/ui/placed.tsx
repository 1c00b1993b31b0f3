import { type Ref, useImperativeHandle } from 'react';

type Props = { readonly at: { readonly current: HTMLElement | null }; readonly ref?: Ref<HTMLElement> };

/** Stands for an element that is there already, where the kit wants to draw the one that it places a card or menu at. */
export function Placed({ at, ref }: Props) {
  useImperativeHandle(ref, () => at.current!, [at]);
  return null;
}
