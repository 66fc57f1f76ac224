// The first of these that a process makes takes 7 to 10 ms, and libraries make theirs when they are loaded. In the bundle
// `Intl.Segmenter` and `Intl.ListFormat` are these, which are made when something is first cut or joined.

export class LateSegmenter {
  readonly #how: ConstructorParameters<typeof Intl.Segmenter>;
  #made: Intl.Segmenter | undefined;

  constructor(...how: ConstructorParameters<typeof Intl.Segmenter>) {
    this.#how = how;
  }

  segment(text: string): Intl.Segments {
    // By its long name, which the bundle leaves alone.
    this.#made ??= new globalThis.Intl.Segmenter(...this.#how);
    return this.#made.segment(text);
  }
}

export class LateListFormat {
  readonly #how: ConstructorParameters<typeof Intl.ListFormat>;
  #made: Intl.ListFormat | undefined;

  constructor(...how: ConstructorParameters<typeof Intl.ListFormat>) {
    this.#how = how;
  }

  format(words: Iterable<string>): string {
    this.#made ??= new globalThis.Intl.ListFormat(...this.#how);
    return this.#made.format(words);
  }
}
