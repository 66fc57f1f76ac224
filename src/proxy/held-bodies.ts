/** Bodies that slow clients may keep in memory, in bytes. */
const MOST_BYTES = 128 * 1024 * 1024;

/** Counts the bodies that are being sent, each once however many clients it goes to. */
export class HeldBodies {
  readonly #users = new Map<Uint8Array, number>();
  #bytes = 0;

  /** False when there is no room for this body. */
  hold(body: Uint8Array): boolean {
    const users = this.#users.get(body) ?? 0;
    if (users === 0 && this.#bytes + body.byteLength > MOST_BYTES) return false;
    if (users === 0) this.#bytes += body.byteLength;
    this.#users.set(body, users + 1);
    return true;
  }

  release(body: Uint8Array): void {
    const users = (this.#users.get(body) ?? 0) - 1;
    if (users > 0) this.#users.set(body, users);
    else if (this.#users.delete(body)) this.#bytes -= body.byteLength;
  }
}
