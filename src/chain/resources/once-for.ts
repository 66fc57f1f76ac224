/**
 * A function of an object that never changes, such as the rows of a page, that works its value out once for each. It keeps
 * the value for as long as there is the object.
 */
export function onceFor<Key extends object, Value>(workOut: (key: Key) => Value): (key: Key) => Value {
  const values = new WeakMap<Key, { readonly value: Value }>();
  return key => {
    const known = values.get(key) ?? { value: workOut(key) };
    values.set(key, known);
    return known.value;
  };
}
