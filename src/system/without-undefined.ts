/** Removes keys whose value is `undefined`, so that `in` and JSON agree. */
export function withoutUndefined<T extends object>(value: { readonly [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined)) as T // exactly T once undefined is gone
}
