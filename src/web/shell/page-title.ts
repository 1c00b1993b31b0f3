// The title of the page at this address: the route's own, preceded by the address's product.
import { useLocation, useSearch } from '@tanstack/react-router';
import { productsOfRoute } from '#core/access/products.ts';
import { isPath, isRestricted, routes } from '#core/access/routes.ts';
import { refusals } from '#core/base/refusals.ts';

export function titleOf(path: string, product: string | undefined): string {
  if (!isPath(path)) return refusals.PAGE_NOT_FOUND.message;
  const { title } = routes[path];
  if (!product || !isRestricted(path)) return title;
  const products: Readonly<Record<string, { title: string }>> = productsOfRoute[path];
  const chosen = Object.hasOwn(products, product) ? products[product]?.title : undefined;
  return chosen ? `${chosen} ${title.toLowerCase()}` : title;
}

export function usePageTitle(): string {
  const path = useLocation({ select: (location) => location.pathname });
  const { product } = useSearch({ strict: false });
  return titleOf(path, product);
}
