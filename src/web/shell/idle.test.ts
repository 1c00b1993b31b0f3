import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fetchInTurn } from './idle.ts';

let rests: (() => void)[];
let client: QueryClient;
beforeEach(() => {
  rests = [];
  client = new QueryClient();
  vi.stubGlobal('requestIdleCallback', (work: () => void) => rests.push(work));
});
afterEach(() => {
  client.clear();
  vi.unstubAllGlobals();
});

/** Lets pending promises settle. */
const settle = () => new Promise((resolve) => setTimeout(resolve));

/** The browser becomes idle. */
async function rest(): Promise<void> {
  await settle();
  for (const work of rests.splice(0)) work();
  await settle();
}

/** Pages that load on command; `asked` lists the requested ones. */
function pagesNamed(...names: string[]) {
  const asked: string[] = [];
  const arrivals = new Map(names.map((name) => [name, Promise.withResolvers<void>()]));
  const pages = names.map((name) => () => {
    asked.push(name);
    return arrivals.get(name)!.promise;
  });
  return {
    asked,
    pages,
    arrive: (name: string) => arrivals.get(name)!.resolve(),
    lose: (name: string) => arrivals.get(name)!.reject(new Error('lost')),
  };
}

/** A request to the server and its answer. */
function ask(name: string): () => void {
  const { promise, resolve } = Promise.withResolvers<string>();
  void client.prefetchQuery({ queryKey: [name], queryFn: () => promise });
  return () => resolve(name);
}

test('a page is asked for when the one before has arrived, or failed, and the browser rests again', async () => {
  const { asked, pages, arrive, lose } = pagesNamed('one', 'two', 'three');
  void fetchInTurn(pages, client, new AbortController().signal);
  await settle();
  expect(asked).toEqual([]);
  await rest();
  await rest();
  expect(asked).toEqual(['one']);
  arrive('one');
  await settle();
  expect(asked).toEqual(['one']);
  await rest();
  expect(asked).toEqual(['one', 'two']);
  lose('two');
  await rest();
  expect(asked).toEqual(['one', 'two', 'three']);
});

test('nothing is asked for while the open page waits for answers, nor while it asks for more with them', async () => {
  const { asked, pages, arrive } = pagesNamed('one', 'two');
  const answerTiles = ask('tiles');
  void fetchInTurn(pages, client, new AbortController().signal);
  await rest();
  expect(asked).toEqual([]);
  answerTiles();
  await settle();
  // The answer was rendered, and the tile below it sends its request before the browser is idle.
  const answerBelow = ask('below');
  await rest();
  expect(asked).toEqual([]);
  answerBelow();
  await rest();
  expect(asked).toEqual(['one']);
  const answerClick = ask('click');
  arrive('one');
  await rest();
  expect(asked).toEqual(['one']);
  answerClick();
  await rest();
  expect(asked).toEqual(['one', 'two']);
});

test('it ends with the frame that wanted the pages', async () => {
  const { asked, pages, arrive } = pagesNamed('one', 'two');
  const left = new AbortController();
  const done = fetchInTurn(pages, client, left.signal);
  await rest();
  left.abort();
  arrive('one');
  await rest();
  await done;
  expect(asked).toEqual(['one']);
});
