import { type Ref, useImperativeHandle } from 'react';

type Props = { readonly at: { readonly current: HTMLElement | null }; readonly ref?: Ref<HTMLElement> };

/** Stands in for an existing element as the anchor of the kit's cards and menus. */
export function Placed({ at, ref }: Props) {
  useImperativeHandle(ref, () => at.current!, [at]);
  return null;
}
