/**
 * Like `items.at`, but never `undefined`.
 * @param index from 0; a negative index counts from the end
 * @throws {RangeError} if there is no such item
 */
export function at<Item>(items: readonly Item[], index: number): Item {
  const item = items.at(index)
  if (item === undefined) throw new RangeError(`There is no item ${index} among ${items.length}.`)
  return item
}
