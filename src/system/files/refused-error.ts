/** A place that was not touched, because something on the way to it leads elsewhere. Whoever catches it tells a person. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError'
  readonly code = 'REFUSED'
  /** Absolute path of what is in the way. */
  readonly place: string

  constructor(place: string, why: string) {
    super(`\`${place}\` ${why}`)
    this.place = place
  }
}

/** The words for a link. */
export function refusedLink(place: string, target: string): RefusedError {
  return new RefusedError(
    place,
    `is a link to \`${target}\`, and links are not followed here: put a folder in its place, or name the one that it leads to`,
  )
}
