/**
 * The server or a command must stop. The message tells the operator in one line what is wrong and what to do.
 */
export class StartRefused extends Error {
  override name = 'StartRefused';
}
