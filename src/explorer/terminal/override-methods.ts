/** The object with other methods. Its own act on the object itself. */
export function overrideMethods<Target extends object>(
  target: Target,
  methods: { readonly [name: string]: unknown },
): Target {
  return new Proxy(target, {
    get(own, property) {
      if (typeof property === 'string' && Object.hasOwn(methods, property)) return methods[property];
      const value: unknown = Reflect.get(own, property, own);
      return typeof value === 'function' ? value.bind(own) : value;
    },
    set: (own, property, value) => Reflect.set(own, property, value, own),
  });
}
