/** Things that are given back together, the last one first: what Node calls AsyncDisposableStack, from 24 on. */
export class Held {
  readonly #things: AsyncDisposable[] = [];

  use<Thing extends AsyncDisposable>(thing: Thing): Thing {
    this.#things.push(thing);
    return thing;
  }

  /** Another one that holds all of it; this one gives nothing back any more. */
  move(): Held {
    const moved = new Held();
    for (const thing of this.#things.splice(0)) moved.use(thing);
    return moved;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const thing of this.#things.splice(0).toReversed()) await thing[Symbol.asyncDispose]();
  }
}
