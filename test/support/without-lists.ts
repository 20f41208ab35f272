/** Lists of all names that there are, in messages of golden files: each new name would change them. */
const lists: readonly (readonly [all: RegExp, by: string])[] = [
  [/(?<=Known: dialect, ).+?(?=\. Keys of your own)/g, '<keys>'],
  [/(?<=The options are include, ).+?(?=\.(?:\s|\]|$))/g, '<options>'],
]

/** A message without the names of all keys of front matter and of all options. */
export function withoutLists(text: string): string {
  return lists.reduce((rest, [all, by]) => rest.replaceAll(all, by), text)
}
