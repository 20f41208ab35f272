import type { Directives, Group, Step } from '../spec.ts'

interface Parent {
  readonly directives: Directives
  readonly children: readonly (Group | Step)[]
}

/** Gives the steps below a heading what its directives say of them; their own come first. */
export function inheritDirectives<T extends Parent>(parent: T): T {
  const { skip, todo, fails, timeoutMs } = parent.directives
  const inherited: Directives = {
    ...(skip !== undefined && { skip }),
    ...(todo && { todo }),
    ...(fails && { fails }),
    ...(timeoutMs !== undefined && { timeoutMs }),
  }
  if (Object.keys(inherited).length === 0) return parent
  return { ...parent, children: parent.children.map((child) => inherit(child, inherited)) }
}

function inherit(child: Group | Step, inherited: Directives): Group | Step {
  const withOwn = { ...child, directives: { ...inherited, ...child.directives } }
  return withOwn.kind === 'step' ? withOwn : inheritDirectives(withOwn)
}
