import type { Directives, Group, Step } from './spec.ts'

/** A group, where it is skipped or to do with all its steps so: they must not be executed for the sake of later ones. */
export function leaveOut(group: Group): Group {
  const { skip, todo } = group.directives
  if (skip === undefined && todo === undefined) return group
  const inherited: Directives = { ...(skip !== undefined && { skip }), ...(todo && { todo }) }
  return { ...group, children: group.children.map((child) => inherit(child, inherited)) }
}

function inherit(child: Group | Step, inherited: Directives): Group | Step {
  const directives = { ...inherited, ...child.directives }
  return child.kind === 'step'
    ? { ...child, directives }
    : { ...child, directives, children: child.children.map((grandchild) => inherit(grandchild, inherited)) }
}
