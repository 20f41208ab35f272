/**
 * An item that has to be there.
 * @param index from 0; below 0 counted from the end
 * @throws {RangeError} where it is not
 */
export function at<Item>(items: readonly Item[], index: number): Item {
  const item = items.at(index)
  if (item === undefined) throw new RangeError(`There is no item ${index} among ${items.length}.`)
  return item
}
