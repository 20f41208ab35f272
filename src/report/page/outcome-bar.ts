import { byId, element } from './element.ts'

/** Shows how many there are of each kind as parts of a bar. */
export function showOutcomeBar(parts: readonly (readonly [classes: string, count: number])[]): void {
  byId('outcome-bar').append(
    ...parts.map(([classes, count]) => {
      const part = element('i', { class: classes })
      part.style.flexGrow = String(count)
      return part
    }),
  )
}
