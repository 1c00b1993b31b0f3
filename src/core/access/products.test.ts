import { describe, expect, it } from 'vitest';
import { causes, productsOfRoute, salesProducts } from './products.ts';

describe('products and causes (spec 2, 6 and 7)', () => {
  it('share no key: one would open the other', () => {
    expect(Object.keys(salesProducts).filter((key) => Object.hasOwn(causes, key))).toEqual([]);
  });
  it('are those of the specification, each with its dashboard and its permissions', () => {
    const rows = Object.entries(productsOfRoute).flatMap(([path, products]) =>
      Object.entries(products).map(([key, { title, resource, view, data }]) =>
        [path, key, title, resource, view, data].join(' | '),
      ),
    );
    expect(rows).toEqual([
      '/sales | connect | Connect | 15 | VIEW_CONNECT_SALES | READ_BGP',
      '/sales | green | Green | 16 | VIEW_GREEN_SALES | READ_GREEN',
      '/sales | codex | Codex | 17 | VIEW_CODEX_SALES | READ_CODEX',
      '/sales | bgp | Arcade | 18 | VIEW_BGP_SALES | READ_BGP',
      '/donations | free-a-girl | Free a Girl | 20 | VIEW_FREE_A_GIRL_DONATIONS | VIEW_FREE_A_GIRL_DONATIONS',
      '/donations | operation-underground-railroad | Operation Underground Railroad | 20 | VIEW_OPERATION_UNDERGROUND_RAILROAD_DONATIONS | VIEW_OPERATION_UNDERGROUND_RAILROAD_DONATIONS',
      '/donations | who-lives | Who Lives | 20 | VIEW_WHO_LIVES_DONATIONS | VIEW_WHO_LIVES_DONATIONS',
    ]);
  });
});
