/** Where changes are: each is a folder in `home/folder`, but for that of those that are done. */
export const changesPlace = { home: 'openspec', folder: 'changes', archive: 'archive' } as const // names

const places = /[\\/]openspec[\\/](?:specs|changes[\\/]([^\\/]+)[\\/]specs)(?=[\\/])/g

/** The name of the change that a file (absolute path) is a spec of: `openspec/changes/NAME/specs/…`. One that is archived is none. */
export function changeOf(file: string): string | undefined {
  // The innermost: a project may lie in a folder of another one.
  const name = [...file.matchAll(places)].at(-1)?.[1]
  return name === changesPlace.archive ? undefined : name
}
