/** Numbers that belong together, joined pair by pair (a disjoint-set forest). */
export class Groups {
  readonly #parents: number[] = [];

  join(one: number, other: number): void {
    const [a, b] = [this.of(one), this.of(other)];
    if (a !== b) this.#parents[Math.max(a, b)] = Math.min(a, b);
  }

  /** The smallest number of the group. */
  of(number: number): number {
    while (this.#parents.length <= number) this.#parents.push(this.#parents.length);
    let at = number;
    for (let parent = this.#parents[at] ?? at; parent !== at; parent = this.#parents[at] ?? at) {
      const above = this.#parents[parent] ?? parent;
      this.#parents[at] = above;
      at = above;
    }
    return at;
  }
}
