/** The server or a command must not go on. The message is one line for the operator: what is wrong and what to do. */
export class StartRefused extends Error {
  override name = 'StartRefused';
}
