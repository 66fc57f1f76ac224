export interface Match<Route> {
  readonly route: Route | undefined;
  /** The decoded variable part of the path; '' if it has none. */
  readonly pathValue: string;
}

/** A lookup by path. The last part of a path may be variable, written `:name`; it is never empty. */
export class Routes<Route> {
  readonly #whole = new Map<string, Route>();
  readonly #varied = new Map<string, Route>();

  add(path: string, route: Route): void {
    const [, folder] = /^(.*\/):\w+$/.exec(path) ?? [];
    if (folder === undefined) this.#whole.set(path, route);
    else this.#varied.set(folder, route);
  }

  match(path: string): Match<Route> {
    const last = path.lastIndexOf('/') + 1;
    const route = this.#whole.get(path);
    if (route !== undefined || last === path.length) return { route, pathValue: '' };
    return { route: this.#varied.get(path.slice(0, last)), pathValue: decoded(path.slice(last)) };
  }
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
