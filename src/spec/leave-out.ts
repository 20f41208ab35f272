import type { Directives, Group, Scenario, Step } from './spec.ts'

/** A group or scenario, where it is skipped or to do with all its steps so: they must not be executed for the sake of later ones. */
export function leaveOut<Parent extends Group | Scenario>(parent: Parent): Parent {
  const { skip, todo } = parent.directives
  if (skip === undefined && todo === undefined) return parent
  const inherited: Directives = { ...(skip !== undefined && { skip }), ...(todo && { todo }) }
  return { ...parent, children: parent.children.map((child) => inherit(child, inherited)) }
}

function inherit(child: Group | Step, inherited: Directives): Group | Step {
  const directives = { ...inherited, ...child.directives }
  return child.kind === 'step'
    ? { ...child, directives }
    : { ...child, directives, children: child.children.map((grandchild) => inherit(grandchild, inherited)) }
}
