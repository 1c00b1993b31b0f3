// Lets a test stand between the statements of one server. The product knows nothing of it: it is the
// connection that waits.
import type { Database } from '#server/platform/db/database.ts';

/** Asked before a statement is sent. It may wait, and give another statement that is sent in its place. */
export type BeforeStatement = (sql: string) => Promise<string | undefined>;

type Send = (...parameters: unknown[]) => unknown;

/** What is returned changes who is asked; nobody at first. Call it before the first query. */
export function betweenStatements({ pool }: Database): (before: BeforeStatement | null) => void {
  let asked: BeforeStatement | null = null;
  pool.on('connect', (client) => {
    const send = client.query.bind(client) as Send;
    const queryBetween: Send = (query, ...rest) => {
      if (asked === null) return send(query, ...rest);
      const told = rest.at(-1);
      const sent = asked(typeof query === 'string' ? query : (query as { text: string }).text).then((instead) => {
        if (instead === undefined) return send(query, ...rest);
        return typeof told === 'function' ? send(instead, told) : send(instead);
      });
      // With a callback the answer goes there, and its failure too.
      return typeof told === 'function' ? void sent.catch(told as () => void) : sent;
    };
    client.query = queryBetween as typeof client.query;
  });
  return (before) => {
    asked = before;
  };
}

/** Fails as the database does when it takes a transaction back: really, and in the transaction. */
export const failure = (code: '40001' | '40P01'): string =>
  `do $$ begin raise exception 'taken back for another one''s sake' using errcode = '${code}'; end $$`;
