/** A node of a syntax tree, of whatever type. */
export interface AnyNode {
  readonly type: string
}

/** A node and all below it. */
export function* walk(node: AnyNode): Generator<AnyNode> {
  yield node
  for (const value of Object.values(node)) {
    for (const child of [value].flat()) if (isNode(child)) yield* walk(child)
  }
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}
