/** Name of the Java or Kotlin class in a source file: `com.example.SumsTest`, or `*SumsTest` where its package is not known. */
export function classNameOf(file: string): string {
  const path = file.replace(/\.(?:java|kt|kts|groovy|scala)$/, '')
  const inSources = /(?:^|\/)src\/[^/]+\/(?:java|kotlin|groovy|scala)\/(.+)$/.exec(path)?.[1]
  return inSources?.replaceAll('/', '.') ?? `*${path.slice(path.lastIndexOf('/') + 1)}`
}
