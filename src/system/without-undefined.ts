/** Removes keys whose value is `undefined`, as `JSON.stringify` does. */
export function withoutUndefined<T extends object>(value: { readonly [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined)) as T // no `undefined`
}
