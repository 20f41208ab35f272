/**
 * The knots of a graph: groups of names that can all be reached from each other, sorted.
 * @param arrows from and to; arrows from a name to itself do not count
 */
export function findCycles(arrows: readonly (readonly [from: string, to: string])[]): readonly (readonly string[])[] {
  const targets = new Map<string, Set<string>>()
  for (const [from, to] of arrows) {
    if (from !== to) targets.set(from, (targets.get(from) ?? new Set()).add(to))
  }
  const reached = new Map([...targets.keys()].map((name) => [name, reachableFrom(name, targets)]))
  const knots = [...targets.keys()]
    .filter((name) => reached.get(name)?.has(name))
    .map((name) =>
      [...(reached.get(name) ?? [])]
        .filter((other) => reached.get(other)?.has(name))
        .toSorted()
        .join(' '),
    )
  return [...new Set(knots)].map((knot) => knot.split(' '))
}

function reachableFrom(name: string, targets: ReadonlyMap<string, ReadonlySet<string>>): ReadonlySet<string> {
  const reached = new Set<string>()
  const waiting = [...(targets.get(name) ?? [])]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (reached.has(next)) continue
    reached.add(next)
    waiting.push(...(targets.get(next) ?? []))
  }
  return reached
}
