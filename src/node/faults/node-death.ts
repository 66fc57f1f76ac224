/** Ends the whole node instead of answering a request. */
export class NodeDeath extends Error {
  override readonly name = 'NodeDeath';

  constructor() {
    super('an export from a block above its last one was asked for');
  }
}
